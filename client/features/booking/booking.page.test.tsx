// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useReducer } from 'react'
import { describe, expect, it, vi } from 'vitest'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import { problem, renderPage, stubGateway, textOf } from '#test/kit/render-page.tsx'
import { BookingPage } from './booking.page.tsx'
import { type BookingDraft, bookingReducer, emptyDraft, initialBookingState } from './booking.rules.ts'

const centers = [
  {
    code: 'RUH1',
    addressAR: 'شارع الأحساء، الملز',
    addressEN: 'Al Ahsa St., Malaz',
    city: 'Riyadh',
    coordinates: { latitude: 24.66, longitude: 46.73 },
  },
  { code: 'RUH2', addressAR: 'السويدي', addressEN: 'Al Suwaidi', city: 'Riyadh', coordinates: null },
  { code: 'JED1', addressAR: 'حي الروضة', addressEN: 'Al Rawdah', city: 'Jeddah', coordinates: null },
]
const agents = [
  {
    id: 'A1',
    name: 'وكيل منى ١',
    address: 'جهة الجمرات',
    city: 'Mina',
    phone: '+966 50 000 0101',
    coordinates: { latitude: 21.4133, longitude: 39.8933 },
  },
  {
    id: 'A2',
    name: 'Agent Kudai',
    address: 'Kudai Street',
    city: 'Makkah',
    phone: '+966500000102',
    coordinates: null,
  },
]
const partner = {
  'GET /api/partner/centers': { body: { success: true, centers } },
  'GET /api/partner/agents': { body: { success: true, agents } },
}

interface BookingProps {
  readonly start?: Partial<BookingDraft>
  readonly enabledTypes?: readonly BookingType[]
  readonly onContinue?: () => void
  readonly onDraft?: (draft: BookingDraft) => void
}

function Booking({ start = {}, enabledTypes = ['FROM_MINA'], onContinue, onDraft }: BookingProps) {
  const [state, dispatch] = useReducer(bookingReducer, {
    ...initialBookingState,
    draft: { ...emptyDraft(start.type), ...start },
  })
  onDraft?.(state.draft)
  return (
    <BookingPage
      draft={state.draft}
      enabledTypes={enabledTypes}
      onChange={(change) => dispatch({ type: 'changed', change })}
      onContinue={() => onContinue?.()}
    />
  )
}

const t = (key: string) => textOf('booking', key)
const field = (key: string) => screen.getByRole('combobox', { name: t(key) })
const continueButton = () => screen.getByRole('button', { name: t('continue') })
const loaded = () => waitFor(() => expect(continueButton()).toHaveProperty('disabled', false))

async function choose(label: string, option: string) {
  await userEvent.click(field(label))
  await userEvent.click(await screen.findByRole('option', { name: new RegExp(option) }))
}

describe('the routes', () => {
  it('are all shown, and only offered ones can be chosen', async () => {
    stubGateway(partner)
    renderPage(<Booking />)
    const tabs = screen.getAllByRole('tab')
    expect(tabs).toHaveLength(3)
    expect(screen.getByRole('tab', { name: t('types.FROM_MINA') }).getAttribute('aria-selected')).toBe('true')
    const closed = tabs.filter((tab) => tab.textContent?.includes(t('types.notOffered')))
    expect(closed).toHaveLength(2)
    for (const tab of closed) expect(tab).toHaveProperty('disabled', true)
    await loaded()
  })

  it('reset the draft and show the fields of the route', async () => {
    stubGateway(partner)
    const onDraft = vi.fn()
    renderPage(
      <Booking
        enabledTypes={['FROM_MINA', 'TO_MINA']}
        start={{ agentCode: 'A1', toCity: 'Riyadh', centerCode: 'RUH1' }}
        onDraft={onDraft}
      />,
    )
    await loaded()
    await userEvent.click(screen.getByRole('tab', { name: t('types.TO_MINA') }))
    expect(onDraft).toHaveBeenLastCalledWith(emptyDraft('TO_MINA'))
    expect(field('labels.TO_MINA.fromCity')).toBeTruthy()
    expect(field('labels.TO_MINA.agentCode')).toBeTruthy()
    expect(screen.queryByRole('combobox', { name: t('labels.FROM_MINA.toCity') })).toBeNull()
  })

  it.each([
    ['en', '{ArrowRight}'],
    ['ar', '{ArrowLeft}'],
  ] as const)('are walked through in reading direction with the keyboard (%s)', async (language, forward) => {
    stubGateway(partner)
    renderPage(<Booking start={{ type: 'TO_MINA' }} enabledTypes={['TO_MINA', 'FROM_MINA']} />, { language })
    await loaded()
    screen.getByRole('tab', { name: t('types.TO_MINA') }).focus()
    await userEvent.keyboard(forward)
    const next = screen.getByRole('tab', { name: t('types.FROM_MINA') })
    expect(next.getAttribute('aria-selected')).toBe('true')
    expect(document.activeElement).toBe(next)
  })

  it('fall back to an offered one when the stored draft has another', async () => {
    stubGateway(partner)
    const onDraft = vi.fn()
    renderPage(<Booking start={{ type: 'TO_AND_FROM_MINA' }} onDraft={onDraft} />)
    await waitFor(() => expect(onDraft).toHaveBeenLastCalledWith(emptyDraft('FROM_MINA')))
    await loaded()
  })
})

describe('choosing', () => {
  it('goes from agent and city to branch, and continues', async () => {
    stubGateway(partner)
    const onContinue = vi.fn()
    const onDraft = vi.fn()
    renderPage(<Booking onContinue={onContinue} onDraft={onDraft} />)
    await loaded()
    await choose('labels.FROM_MINA.agentCode', 'Agent Kudai')
    await choose('labels.FROM_MINA.toCity', 'Riyadh')
    await choose('labels.FROM_MINA.centerCode', 'Al Suwaidi')
    expect(onDraft).toHaveBeenLastCalledWith({
      type: 'FROM_MINA',
      fromCity: null,
      toCity: 'Riyadh',
      centerCode: 'RUH2',
      agentCode: 'A2',
    })
    await userEvent.click(continueButton())
    expect(onContinue).toHaveBeenCalledOnce()
  })

  it('offers only the branches of the city, in the language of the reader', async () => {
    stubGateway(partner)
    renderPage(<Booking start={{ toCity: 'Riyadh' }} />, { language: 'ar' })
    await loaded()
    await userEvent.click(field('labels.FROM_MINA.centerCode'))
    const options = (await screen.findAllByRole('option')).map((option) => option.textContent)
    expect(options.some((text) => text?.includes('السويدي'))).toBe(true)
    expect(options.some((text) => text?.includes('الملز'))).toBe(true)
    expect(options.some((text) => text?.includes('الروضة'))).toBe(false)
  })

  it('asks for the city before the branch', async () => {
    stubGateway(partner)
    renderPage(<Booking />)
    await loaded()
    expect(field('labels.FROM_MINA.centerCode')).toHaveProperty('disabled', true)
    expect(screen.getByText(t('placeholders.cityFirst'))).toBeTruthy()
  })

  it('finds an agent by any spelling of name, district or phone', async () => {
    stubGateway(partner)
    renderPage(<Booking />, { language: 'ar' })
    await loaded()
    const agent = field('labels.FROM_MINA.agentCode')
    for (const words of ['وكيل 1', 'مُنَى', '٠٥٠٠٠٠٠١٠١']) {
      await userEvent.clear(agent)
      await userEvent.type(agent, words)
      const options = await screen.findAllByRole('option')
      expect(options.map((option) => option.textContent).join()).toContain('وكيل منى ١')
      expect(options).toHaveLength(1)
    }
    await userEvent.clear(agent)
    await userEvent.type(agent, 'لا أحد')
    expect(await screen.findByText(t('noMatch'))).toBeTruthy()
  })

  it('shows the chosen locations with a phone link and, with coordinates, a map link', async () => {
    stubGateway(partner)
    renderPage(<Booking start={{ agentCode: 'A1', toCity: 'Riyadh', centerCode: 'RUH2' }} />)
    await loaded()
    const phone = screen.getByRole('link', { name: '+966 50 000 0101' })
    expect(phone.getAttribute('href')).toBe('tel:+966500000101')
    expect(within(phone).getByText('+966 50 000 0101').getAttribute('dir')).toBe('ltr')
    const maps = screen.getAllByRole('link', { name: textOf('location', 'map') })
    expect(maps.map((map) => map.getAttribute('href'))).toEqual([
      'https://www.google.com/maps/search/?api=1&query=21.4133,39.8933',
    ])
    expect(maps[0]?.getAttribute('target')).toBe('_blank')
    expect(maps[0]?.getAttribute('rel')).toBe('noopener')
  })

  it('clears the branch when the city changes', async () => {
    stubGateway(partner)
    const onDraft = vi.fn()
    renderPage(
      <Booking start={{ agentCode: 'A1', toCity: 'Jeddah', centerCode: 'JED1' }} onDraft={onDraft} />,
    )
    await loaded()
    await choose('labels.FROM_MINA.toCity', 'Riyadh')
    expect(onDraft).toHaveBeenLastCalledWith(
      expect.objectContaining({ toCity: 'Riyadh', centerCode: null, agentCode: 'A1' }),
    )
  })
})

describe('Continue', () => {
  it('shows what is missing in a toast, at the fields, and in a focused summary', async () => {
    stubGateway(partner)
    const onContinue = vi.fn()
    renderPage(<Booking onContinue={onContinue} start={{ toCity: 'Riyadh' }} />)
    await loaded()
    expect(screen.queryByText(t('required.agentCode'))).toBeNull()
    await userEvent.click(continueButton())
    expect(await screen.findByText('Please fill in all required fields')).toBeTruthy()
    const agent = field('labels.FROM_MINA.agentCode')
    expect(agent.getAttribute('aria-invalid')).toBe('true')
    const error = document.getElementById(agent.getAttribute('aria-describedby') ?? '')
    expect(error?.textContent).toBe(t('required.agentCode'))
    const summary = screen.getByRole('region', { name: textOf('ui', 'errors.title') })
    expect(document.activeElement).toBe(summary)
    expect(
      within(summary)
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ).toEqual([t('required.agentCode'), t('required.centerCode')])
    await userEvent.click(within(summary).getByRole('link', { name: t('required.agentCode') }))
    expect(document.activeElement).toBe(agent)
    // No history entry was added.
    expect(window.location.hash).toBe('')
    expect(screen.queryByText(t('required.toCity'))).toBeNull()
    expect(onContinue).not.toHaveBeenCalled()
  })

  it('links a missing branch to the city field while no city is chosen', async () => {
    stubGateway(partner)
    renderPage(<Booking start={{ agentCode: 'A1' }} />)
    await loaded()
    await userEvent.click(continueButton())
    await userEvent.click(await screen.findByRole('link', { name: t('required.centerCode') }))
    expect(document.activeElement).toBe(field('labels.FROM_MINA.toCity'))
  })

  it('treats a withdrawn branch as not chosen', async () => {
    stubGateway(partner)
    const onContinue = vi.fn()
    renderPage(
      <Booking start={{ agentCode: 'A1', toCity: 'Riyadh', centerCode: 'GONE' }} onContinue={onContinue} />,
    )
    await loaded()
    await userEvent.click(continueButton())
    expect(await screen.findAllByText(t('required.centerCode'))).toHaveLength(2)
    expect(onContinue).not.toHaveBeenCalled()
  })

  it('is disabled while the partner’s data load', async () => {
    const { promise, resolve } = Promise.withResolvers<{ body: unknown }>()
    stubGateway({ ...partner, 'GET /api/partner/agents': () => promise })
    renderPage(<Booking />)
    expect(continueButton()).toHaveProperty('disabled', true)
    expect(screen.getByText(t('loading'))).toBeTruthy()
    resolve({ body: { success: true, agents } })
    await loaded()
    expect(screen.queryByText(t('loading'))).toBeNull()
  })
})

it('loads the partner’s data once for several visits', async () => {
  const calls = stubGateway(partner)
  const { rerender } = renderPage(<Booking />)
  await loaded()
  expect(new Set(calls.map(({ path }) => path))).toEqual(
    new Set(['/api/partner/agents', '/api/partner/centers']),
  )
  calls.length = 0
  rerender(<p>Another page</p>)
  rerender(<Booking />)
  await loaded()
  expect(calls).toEqual([])
})

it('shows why the partner’s data are missing, and retries only the failed request', async () => {
  let isDown = true
  const calls = stubGateway({
    ...partner,
    'GET /api/partner/centers': () =>
      isDown
        ? problem(503, 'CENTERS_UNAVAILABLE', 'Failed to fetch centers')
        : { body: { success: true, centers } },
  })
  renderPage(<Booking />)
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Failed to fetch centers')
  isDown = false
  calls.length = 0
  await userEvent.click(within(alert).getByRole('button'))
  await loaded()
  expect(calls.map(({ path }) => path)).toEqual(['/api/partner/centers'])
})

describe('a city with one branch', () => {
  it('selects its only branch, and another city clears it', async () => {
    stubGateway(partner)
    let draft: BookingDraft | undefined
    renderPage(
      <Booking
        onDraft={(next) => {
          draft = next
        }}
      />,
    )
    await loaded()
    await choose('labels.FROM_MINA.toCity', 'Jeddah')
    expect(draft).toMatchObject({ toCity: 'Jeddah', centerCode: 'JED1' })
    await choose('labels.FROM_MINA.toCity', 'Riyadh')
    expect(draft).toMatchObject({ toCity: 'Riyadh', centerCode: null })
  })
})

it('shows why the agents are missing', async () => {
  stubGateway({
    ...partner,
    'GET /api/partner/agents': problem(503, 'AGENTS_UNAVAILABLE', 'Failed to fetch agents'),
  })
  renderPage(<Booking />)
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to fetch agents')
})
