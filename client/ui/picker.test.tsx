// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { renderPage, textOf } from '#test/kit/client/render-page.tsx'
import { Picker } from './picker.tsx'

const items = [
  { value: 'mina', label: 'Mina' },
  { value: 'kudai', label: 'Kudai' },
  { value: 'closed', label: 'Closed place' },
]

interface Options {
  readonly value?: string
  readonly hasGroups?: boolean
}

function open({ value, hasGroups = false }: Options = {}) {
  const onChoose = vi.fn()
  const onSubmit = vi.fn()
  const [mina, ...others] = items
  const groups = [
    { title: 'Nearby', items: others },
    { title: 'Far away', items: mina ? [mina] : [] },
  ]
  renderPage(
    // As the countries of the sign-in form.
    <form onSubmit={onSubmit}>
      <Picker
        title="Where"
        searchLabel="Name"
        items={items}
        groups={hasGroups ? groups : []}
        value={value ?? null}
        isFound={({ label }, query) => label.toLowerCase().includes(query)}
        stoppedBy={(each) => (each === 'closed' ? 'Not today' : undefined)}
        onChoose={onChoose}
        onClose={() => undefined}
      />
    </form>,
  )
  return { onChoose, onSubmit, person: userEvent.setup() }
}

const search = () => screen.getByRole('searchbox', { name: 'Name' })
const radio = (name: RegExp) => screen.getByRole<HTMLInputElement>('radio', { name })
const names = () => screen.getAllByRole('radio').map((row) => row.closest('label')?.textContent)
/** As the arrow keys do: a row is picked, and the sheet stays. */
const pickByKey = (name: RegExp) => fireEvent.click(radio(name))
const button = () =>
  within(screen.getByRole('dialog')).queryByRole('button', {
    name: new RegExp(textOf('ui', 'picker.choose', { name: '' }).trim()),
  })

describe('a picker', () => {
  it('chooses by a tap', async () => {
    const { onChoose, person } = open()
    await person.click(screen.getByText('Kudai'))
    expect(onChoose.mock.calls).toEqual([['kudai']])
  })

  it('says how many a search has found, and chooses the only find on Enter, which sends no form around it', async () => {
    const { onChoose, onSubmit, person } = open()
    await person.type(search(), 'a{Enter}')
    expect(onChoose).not.toHaveBeenCalled()
    expect(screen.getByText(textOf('ui', 'picker.found', { count: 3 })).getAttribute('role')).toBe('status')
    await person.clear(search())
    await person.type(search(), 'kud')
    expect(names()).toEqual(['Kudai'])
    await person.keyboard('{Enter}')
    expect(onChoose.mock.calls).toEqual([['kudai']])
    await person.type(search(), 'zzz')
    expect(screen.getByText(textOf('ui', 'picker.none')).getAttribute('role')).toBe('status')
    expect(onSubmit).not.toHaveBeenCalled()
  })

  it('goes from the search to the list by the arrow, which picks a row; Enter there chooses it', async () => {
    const { onChoose, onSubmit, person } = open()
    await person.type(search(), '{ArrowDown}')
    expect(document.activeElement).toBe(radio(/Mina/))
    expect(radio(/Mina/).checked).toBe(true)
    expect(onChoose).not.toHaveBeenCalled()
    await person.keyboard('{Enter}')
    expect(onChoose.mock.calls).toEqual([['mina']])
    expect(onSubmit).not.toHaveBeenCalled()
  })

  it('has a button for a row that was picked by key, and none for one that was chosen before', async () => {
    const { onChoose, person } = open({ value: 'mina' })
    expect(radio(/Mina/).checked).toBe(true)
    expect(button()).toBeNull()
    pickByKey(/Kudai/)
    await person.click(button() ?? document.body)
    expect(onChoose.mock.calls).toEqual([['kudai']])
  })

  it('drops what is picked when the search hides it', async () => {
    const { person } = open()
    pickByKey(/Kudai/)
    await person.type(search(), 'k')
    expect(button()?.textContent).toContain('Kudai')
    await person.type(search(), 'zzz')
    expect(button()).toBeNull()
    await person.clear(search())
    expect(radio(/Kudai/).checked).toBe(false)
  })

  it('shows why a row cannot be chosen, and chooses it neither by a tap nor by a key', async () => {
    const { onChoose, person } = open()
    expect(radio(/Closed place.*Not today/).disabled).toBe(true)
    await person.click(screen.getByText('Not today'))
    await person.type(search(), 'closed{Enter}{ArrowDown}{Enter}')
    expect(button()).toBeNull()
    expect(onChoose).not.toHaveBeenCalled()
  })

  it('shows rows under headings until something is searched for', async () => {
    const { person } = open({ hasGroups: true })
    expect(names()).toEqual(['Kudai', 'Closed placeNot today', 'Mina'])
    expect(screen.getByRole('heading', { name: 'Far away' })).toBeTruthy()
    await person.type(search(), 'a')
    expect(screen.queryByRole('heading', { name: 'Far away' })).toBeNull()
    await waitFor(() => expect(names()).toEqual(['Mina', 'Kudai', 'Closed placeNot today']))
  })
})
