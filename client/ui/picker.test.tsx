// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { renderPage, textOf } from '#test/kit/client/render-page.tsx'
import { Picker, plainList } from './picker.tsx'

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
    { title: 'Nearby', note: '2 places', items: others },
    { title: 'Far away', items: mina ? [mina] : [], isFolded: true },
  ]
  renderPage(
    // As the countries of the sign-in form.
    <form onSubmit={onSubmit}>
      <Picker
        title="Where"
        searchLabel="Name"
        find={(query) =>
          query === '' && hasGroups
            ? { groups, found: items }
            : plainList(items.filter(({ label }) => label.toLowerCase().includes(query)))
        }
        value={value ?? null}
        stoppedBy={(each) => (each === 'closed' ? 'Not today' : undefined)}
        parts={({ label }) => ({ beside: <a href="#map">Map of {label}</a> })}
        onChoose={onChoose}
        onClose={() => undefined}
      />
    </form>,
  )
  return { onChoose, onSubmit, person: userEvent.setup() }
}

const search = () => screen.getByRole('searchbox', { name: 'Name' })
const row = (name: RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
const names = () =>
  [...screen.getByRole('dialog').querySelectorAll('[data-row]')].map(({ textContent }) => textContent)
const found = (count: number) =>
  screen.getByText(count === 0 ? textOf('ui', 'picker.none') : textOf('ui', 'picker.found', { count }))

describe('a picker', () => {
  it('chooses by a tap on the row, and not by a tap on the control beside it', async () => {
    const { onChoose, person } = open()
    await person.click(screen.getByRole('link', { name: 'Map of Kudai' }))
    expect(onChoose).not.toHaveBeenCalled()
    await person.click(screen.getByText('Kudai'))
    expect(onChoose.mock.calls).toEqual([['kudai']])
  })

  it('says how many a search has found, and chooses the only find on Enter, which sends no form around it', async () => {
    const { onChoose, onSubmit, person } = open()
    await person.type(search(), 'a{Enter}')
    expect(onChoose).not.toHaveBeenCalled()
    expect(found(3).getAttribute('role')).toBe('status')
    await person.clear(search())
    await person.type(search(), 'kud')
    expect(names()).toEqual(['Kudai'])
    await person.keyboard('{Enter}')
    expect(onChoose.mock.calls).toEqual([['kudai']])
    await person.type(search(), 'zzz')
    expect(found(0).getAttribute('role')).toBe('status')
    expect(onSubmit).not.toHaveBeenCalled()
  })

  it('empties its search by a named button, which is there while something is typed and keeps the focus there', async () => {
    const { person } = open()
    const empty = () => screen.queryByRole('button', { name: textOf('ui', 'emptySearch') })
    expect(empty()).toBeNull()
    await person.type(search(), 'kud')
    await person.click(empty() ?? document.body)
    expect(search()).toHaveProperty('value', '')
    expect(names()).toHaveLength(3)
    expect(document.activeElement).toBe(search())
    expect(empty()).toBeNull()
  })

  it('goes from the search to the rows and over headings by the arrows; Enter chooses', async () => {
    const { onChoose, onSubmit, person } = open({ hasGroups: true })
    await person.type(search(), '{ArrowDown}')
    expect(document.activeElement).toBe(row(/^Kudai/))
    await person.keyboard('{ArrowDown}')
    expect(document.activeElement?.textContent).toBe('Far away')
    // Rows in a closed group are passed over.
    await person.keyboard('{ArrowDown}')
    expect(document.activeElement?.textContent).toBe('Far away')
    await person.keyboard('{ArrowUp}')
    expect(document.activeElement).toBe(row(/^Kudai/))
    await person.keyboard('{Enter}')
    expect(onChoose.mock.calls).toEqual([['kudai']])
    expect(onSubmit).not.toHaveBeenCalled()
  })

  it('marks the row that was chosen before, from which the arrows start and whose group is open', async () => {
    const { person } = open({ value: 'mina', hasGroups: true })
    expect(row(/^Mina/).getAttribute('aria-current')).toBe('true')
    expect(row(/^Mina/).closest('details')?.open).toBe(true)
    await person.type(search(), '{ArrowDown}')
    expect(document.activeElement).toBe(row(/^Mina/))
  })

  it('shows why a row cannot be chosen, and chooses it neither by a tap nor by a key', async () => {
    const { onChoose, person } = open()
    expect(row(/Closed place.*Not today/).disabled).toBe(true)
    await person.click(screen.getByText('Not today'))
    await person.type(search(), 'closed{Enter}{ArrowDown}{Enter}')
    expect(onChoose).not.toHaveBeenCalled()
  })

  it('shows rows under headings until something is searched for', async () => {
    const { person } = open({ hasGroups: true })
    expect(names()).toEqual(['Kudai', 'Closed placeNot today', 'Mina'])
    expect(screen.getByRole('heading', { name: 'Nearby' })).toBeTruthy()
    await person.type(search(), 'a')
    expect(screen.queryByRole('heading', { name: 'Nearby' })).toBeNull()
    expect(names()).toEqual(['Mina', 'Kudai', 'Closed placeNot today'])
  })
})
