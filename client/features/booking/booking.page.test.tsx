// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useReducer } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import pageStyles from '#client/ui/page.module.css'
import type { PublicConfig } from '#shared/config/config.api.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import type { Stop } from '#shared/platform/stop.ts'
import { agentOf, centerOf, configOf, partnerOf } from '#test/builders/answer.builder.ts'
import { plainText, reading } from '#test/kit/client/plain-text.ts'
import {
  Known,
  problem,
  renderPage,
  stubGateway,
  stubNavigator,
  textOf,
} from '#test/kit/client/render-page.tsx'
import styles from './booking.module.css'
import { BookingPage } from './booking.page.tsx'
import { type BookingDraft, bookingReducer, emptyDraft, initialBookingState } from './booking.rules.ts'

const centers = [
  centerOf({ addressAR: 'شارع الأحساء، الملز', addressEN: 'Al Ahsa St., Malaz' }),
  centerOf({ code: 'RUH2', addressAR: 'السويدي', addressEN: 'Al Suwaidi' }),
  centerOf({ code: 'JED1', addressAR: 'حي الروضة', addressEN: 'Al Rawdah', city: 'Jeddah' }),
]
const agents = [
  agentOf({
    name: 'وكيل منى ١',
    address: 'جهة الجمرات',
    phone: '+966 50 000 0101',
    coordinates: { latitude: 21.4133, longitude: 39.8933 },
  }),
  agentOf({
    id: 'A2',
    name: 'Agent Kudai',
    address: 'Kudai Street',
    city: 'Makkah',
    phone: '+966500000102',
  }),
]
const partner = partnerOf(centers, agents)

interface BookingProps {
  readonly start?: Partial<BookingDraft>
  readonly enabledTypes?: readonly BookingType[]
  readonly stops?: readonly Stop[]
  readonly config?: Partial<PublicConfig>
  readonly onContinue?: () => void
  readonly onDraft?: (draft: BookingDraft) => void
}

function Booking({
  start = {},
  enabledTypes = ['FROM_MINA'],
  stops = [],
  config = {},
  onContinue,
  onDraft,
}: BookingProps) {
  const [state, dispatch] = useReducer(bookingReducer, {
    ...initialBookingState,
    draft: { ...emptyDraft(start.type), ...start },
  })
  onDraft?.(state.draft)
  return (
    <Known
      config={configOf({ enabledTypes: [...enabledTypes], stops: [...stops], ...config })}
      user={{ id: 7, name: 'Amina Yusuf', phone: '+966550000001' }}
    >
      <BookingPage
        draft={state.draft}
        onChange={(change) => dispatch({ type: 'changed', change })}
        onContinue={() => onContinue?.()}
      />
    </Known>
  )
}

const t = (key: string, values?: Record<string, unknown>) => textOf('booking', key, values)
const startingWith = (text: string) => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`)
/** The button of a question: its name is the question and its own text. */
const field = (key: string) => screen.getByRole('button', { name: startingWith(t(key)) })
/** It names the price, too, when all is chosen. */
const continueButton = () => screen.getByRole('button', { name: startingWith(t('continue')) })
type Sheet = ReturnType<typeof within>
/** The answers, each with its texts. */
const answersIn = (sheet: Sheet) =>
  [...(sheet.getByRole('searchbox').closest('dialog')?.querySelectorAll('[data-row]') ?? [])].map(
    ({ textContent }) => plainText(textContent ?? ''),
  )
const loaded = () => waitFor(() => expect(continueButton()).toHaveProperty('disabled', false))

async function openSheet(label: string) {
  // An answer opens the next question automatically.
  if (screen.queryByRole('dialog', { name: t(label) }) === null) await userEvent.click(field(label))
  return within(await screen.findByRole('dialog', { name: t(label) }))
}
const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

async function choose(label: string, option: string) {
  const sheet = await openSheet(label)
  await userEvent.click(sheet.getByRole('button', { name: new RegExp(option) }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: t(label) })).toBeNull())
}

beforeEach(() => void stubGateway(partner))

it.each([
  ['Makkah', true],
  ['Riyadh', false],
])('to %s is called what it is: the bag stays there', async (toCity, isSaid) => {
  stubGateway(partnerOf([...centers, centerOf({ code: 'MAK1', city: 'Makkah' })], agents))
  renderPage(<Booking start={{ toCity }} />)
  await loaded()
  expect(screen.queryAllByText(t('makkah'))).toHaveLength(isSaid ? 1 : 0)
})

describe('what is promised', () => {
  const promises = {
    transitDays: { RUH: [2, 4] },
    handInUntil: '2027-05-19',
  } satisfies PublicConfig['promises']
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-05-10T12:00:00+03:00') })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it.each([
    ['FROM_MINA', { toCity: 'Riyadh' }],
    ['TO_MINA', { fromCity: 'Riyadh' }],
  ] as const)('is said of the city that is chosen (%s)', async (type, start) => {
    renderPage(
      <Booking start={{ type, ...start }} enabledTypes={[type]} config={{ promises, demo: false }} />,
    )
    await loaded()
    expect(
      screen.getByText('Usually there in 2–\u20604\u00a0days.', { collapseWhitespace: false }),
    ).toBeTruthy()
    expect(screen.getByText(reading('Hand it in by 13 Dhuʻl-Hijjah · 19 May.'))).toBeTruthy()
  })

  it.each([
    ['of no city', {}, { promises }],
    ['where nothing is configured', { toCity: 'Riyadh' }, {}],
    ['of a city without days', { toCity: 'Jeddah' }, { promises: { transitDays: { RUH: [2, 4] } } }],
  ] as const)('is nothing %s', async (_, start, config) => {
    renderPage(<Booking start={start} config={config as Partial<PublicConfig>} />)
    await loaded()
    expect(screen.queryByText(/Usually there|Hand it in by/)).toBeNull()
    expect(screen.queryByText(new RegExp(textOf('promise', 'example')))).toBeNull()
  })
})

describe('the routes', () => {
  it('are all shown, and only offered ones can be chosen', async () => {
    renderPage(<Booking />)
    const tabs = screen.getAllByRole('tab')
    expect(tabs).toHaveLength(3)
    expect(screen.getByRole('tab', { name: t('types.FROM_MINA') }).getAttribute('aria-selected')).toBe('true')
    const notOffered = tabs.slice(1)
    for (const tab of notOffered) {
      expect(tab).toHaveProperty('disabled', true)
      const note = document.getElementById(tab.getAttribute('aria-describedby') ?? '')
      expect(note?.textContent).toBe(t('types.notOffered'))
    }
    expect(tabs[0]).toHaveProperty('disabled', false)
    await loaded()
  })

  it('reset the draft and show the fields of the route', async () => {
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
    expect(screen.queryByRole('heading', { name: t('labels.FROM_MINA.toCity') })).toBeNull()
  })

  it.each([
    ['en', '{ArrowRight}'],
    ['ar', '{ArrowLeft}'],
  ] as const)('are walked through in reading direction with the keyboard (%s)', async (language, forward) => {
    renderPage(<Booking start={{ type: 'TO_MINA' }} enabledTypes={['TO_MINA', 'FROM_MINA']} />, { language })
    await loaded()
    screen.getByRole('tab', { name: t('types.TO_MINA') }).focus()
    await userEvent.keyboard(forward)
    const next = screen.getByRole('tab', { name: t('types.FROM_MINA') })
    expect(next.getAttribute('aria-selected')).toBe('true')
    expect(document.activeElement).toBe(next)
  })

  it('fall back to an offered one when the stored draft has another', async () => {
    const onDraft = vi.fn()
    renderPage(<Booking start={{ type: 'TO_AND_FROM_MINA' }} onDraft={onDraft} />)
    await waitFor(() => expect(onDraft).toHaveBeenLastCalledWith(emptyDraft('FROM_MINA')))
    await loaded()
  })
})

describe('choosing', () => {
  it('goes from agent and city to branch, and continues', async () => {
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
    renderPage(<Booking start={{ toCity: 'Riyadh' }} />, { language: 'ar' })
    await loaded()
    const sheet = await openSheet('labels.FROM_MINA.centerCode')
    expect(answersIn(sheet).sort()).toEqual(['السويدي', 'شارع الأحساء، الملز'])
  })

  it.each([
    [{ toCity: 'Riyadh' }, 'centerCode'],
    [{ toCity: 'Riyadh', centerCode: 'RUH2' }, 'agentCode'],
    [{}, 'agentCode'],
  ])('goes on behind the last answer: %j', async (start, next) => {
    const { container } = renderPage(<Booking start={start} />)
    await loaded()
    const current = container.querySelectorAll('[data-progress="current"]:has(h2)')
    expect([...current].map((question) => question.querySelector('h2')?.textContent)).toEqual([
      t(`labels.FROM_MINA.${next}`),
    ])
  })

  it('asks for the city before the branch', async () => {
    renderPage(<Booking />)
    await loaded()
    expect(field('labels.FROM_MINA.centerCode')).toHaveProperty('disabled', true)
    expect(field('labels.FROM_MINA.centerCode').textContent).toBe(t('placeholders.cityFirst'))
  })

  it('finds an agent by any spelling of name, district or phone', async () => {
    renderPage(<Booking />, { language: 'ar' })
    await loaded()
    const sheet = await openSheet('labels.FROM_MINA.agentCode')
    const search = sheet.getByRole('searchbox', { name: t('search.agentCode') })
    for (const words of ['وكيل 1', 'مُنَى', '٠٥٠٠٠٠٠١٠١']) {
      fireEvent.change(search, { target: { value: words } })
      expect(answersIn(sheet)).toEqual([expect.stringContaining('وكيل منى ١')])
    }
  })
})

describe('Continue', () => {
  it('shows what is missing in a toast and at the fields, and moves the focus to the first', async () => {
    const onContinue = vi.fn()
    renderPage(<Booking onContinue={onContinue} start={{ toCity: 'Riyadh' }} />)
    await loaded()
    expect(screen.queryByText(t('required.agentCode'))).toBeNull()
    await userEvent.click(continueButton())
    const toast = screen.getByText('Please fill in all required fields')
    // The focus announces the message of the field; the toast is not announced as well.
    expect(toast.closest('[role="alert"], [aria-live]')).toBeNull()
    const agent = field('labels.FROM_MINA.agentCode')
    expect(document.activeElement).toBe(agent)
    const messages = ['labels.FROM_MINA.agentCode', 'labels.FROM_MINA.centerCode'].map(
      (key) => document.getElementById(field(key).getAttribute('aria-describedby') ?? '')?.textContent,
    )
    expect(messages).toEqual([t('required.agentCode'), t('required.centerCode')])
    expect(screen.queryByText(t('required.toCity'))).toBeNull()
    expect(document.title).toContain(textOf('ui', 'errors.pageTitle', { title: t('title') }))
    expect(onContinue).not.toHaveBeenCalled()
    await choose('labels.FROM_MINA.agentCode', 'Agent Kudai')
    expect(screen.queryByText(t('incomplete'))).toBeNull()
    expect(screen.queryByText(t('required.agentCode'))).toBeNull()
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

it.each([
  ['no agents', { centers, agents: [] }, 'agentCode'],
  ['no branches', { centers: [], agents }, 'toCity'],
])('says that nothing can be booked with %s, and offers no empty list', async (_, lists, question) => {
  stubGateway(partnerOf(lists.centers, lists.agents))
  renderPage(<Booking />)
  expect((await screen.findByText(t('nothingOffered'))).closest('[role="status"]')).toBeTruthy()
  expect(continueButton()).toHaveProperty('disabled', true)
  expect(field(`labels.FROM_MINA.${question}`)).toHaveProperty('disabled', true)
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

it('fills the pass beside the questions, and the strip below them, as they are answered; then the button has the price', async () => {
  const { container } = renderPage(<Booking start={{ agentCode: 'A2' }} />)
  await loaded()
  const pass = () => container.querySelector('[data-shape=whole]')?.textContent
  const strip = () => container.querySelector(`.${styles.strip}`)?.textContent
  const price = 'SAR\u00a050.00'
  const noBranch = textOf('tag', 'noBranch')
  expect(pass()).toContain(textOf('awb', 'pass.noCity'))
  expect(strip()).toContain(textOf('tag', 'noCity'))
  expect(strip()).not.toContain(noBranch)
  expect(pass()).toContain('Amina Yusuf')
  expect(pass()).toContain('Agent Kudai')
  await choose('labels.FROM_MINA.toCity', 'Riyadh')
  expect(pass()).toContain('RUH')
  expect(pass()).not.toContain('Al Suwaidi')
  for (const part of ['Riyadh', noBranch, price]) expect(strip()).toContain(part)
  expect(continueButton().textContent).toBe(t('continue'))
  await choose('labels.FROM_MINA.centerCode', 'Al Suwaidi')
  expect(pass()).toContain('Al Suwaidi')
  expect(container.querySelector(`.${pageStyles.side}`)?.textContent).toContain(price)
  expect(strip()).toBeUndefined()
  expect(continueButton().textContent).toBe(`${t('continue')} · ${price}`)
})

describe('the branches of a city', () => {
  const day = { week: [{ days: [0, 1, 2, 3, 4], from: '08:00', to: '23:00' }] }
  const evening = { week: [{ days: [0, 1, 2, 3, 4], from: '16:00', to: '20:00' }] }
  const inRiyadh = (
    [
      ['Al Olaya Dist. - Palm St., shop 1', 24.7, evening],
      ['Al Olaya Dist. - Well Rd., shop 2', 24.71, day],
      ['Al Malaz Dist. - Oasis Rd., shop 3', 24.66, undefined],
      ['Al Malaz Dist. - Falcon St., shop 4', undefined, evening],
      ['An Narjis Dist. - Caravan Rd., shop 5', 24.85, day],
      ['Tuwaiq Dist. - Lantern St., shop 6', 24.58, day],
      ['Tuwaiq Dist. - Wadi Rd., shop 7', 24.59, day],
    ] as const
  ).map(([addressEN, latitude, hours], index) =>
    centerOf({
      code: `B${index + 1}`,
      addressEN,
      coordinates: latitude === undefined ? null : { latitude, longitude: 46.7 },
      ...(hours && { hours }),
    }),
  )
  const districts = (sheet: Sheet) =>
    sheet.getAllByRole('group').map((group: HTMLElement) => group.querySelector('summary')?.textContent)
  const chip = (sheet: Sheet) => sheet.getByRole('button', { name: t('branch.places.airport') })
  const near = () => t('branch.near.airport')

  async function openBranches(options: BookingProps = {}) {
    const onDraft = vi.fn()
    stubGateway(partnerOf(inRiyadh, agents))
    const page = renderPage(<Booking start={{ toCity: 'Riyadh' }} onDraft={onDraft} {...options} />)
    await loaded()
    return { ...page, onDraft, sheet: await openSheet('labels.FROM_MINA.centerCode') }
  }

  it('stand under their districts with counts, and the district of the chosen branch is open', async () => {
    const { sheet } = await openBranches({ start: { toCity: 'Riyadh', agentCode: 'A2' } })
    expect(districts(sheet)).toEqual([
      'Al Malaz2 branches',
      'Al Olaya2 branches',
      'An Narjis1 branch',
      'Tuwaiq2 branches',
    ])
    expect(sheet.getAllByRole<HTMLDetailsElement>('group').map(({ open }) => open)).not.toContain(true)
    expect(sheet.getByText('7 branches in Riyadh')).toBeTruthy()
    await userEvent.click(sheet.getByRole('button', { name: /^Well Rd\./ }))
    await closed()
    const again = await openSheet('labels.FROM_MINA.centerCode')
    expect(again.getAllByRole<HTMLDetailsElement>('group').map(({ open }) => open)).toEqual([
      false,
      true,
      false,
      false,
    ])
  })

  it('show the hours of their week at any time, and the map before one is chosen', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-06-16T02:00:00+03:00') })
    try {
      const { sheet } = await openBranches()
      expect(answersIn(sheet)[2]).toBe('Palm St., shop 1Sun–Thu 16–20')
      expect(answersIn(sheet)[0]).toBe('Falcon St., shop 4Sun–Thu 16–20')
      expect(answersIn(sheet)[1]).toBe('Oasis Rd., shop 3')
      expect(sheet.queryByText(/closed/i)).toBeNull()
      const map = sheet.getByRole('link', { name: 'Map: Palm St., shop 1' })
      expect(map.getAttribute('href')).toContain('query=24.7,46.7')
      expect(sheet.getAllByRole('link')).toHaveLength(6)
      expect(sheet.queryByText(textOf('branch-hours', 'season'))).toBeNull()
    } finally {
      vi.useRealTimers()
    }
  })

  it('say once in the month of the Hajj that their hours may differ', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-05-18T12:00:00+03:00') })
    try {
      const { sheet } = await openBranches()
      expect(sheet.getAllByText(textOf('branch-hours', 'season'))).toHaveLength(1)
    } finally {
      vi.useRealTimers()
    }
  })

  it.each<[PublicConfig['promises'], number]>([
    [{ transitDays: {}, storageDays: 7 }, 1],
    [{ transitDays: {} }, 0],
  ])('say once how long a bag is kept, where that is configured: %j', async (promises, count) => {
    const { sheet } = await openBranches({ config: { promises } })
    expect(sheet.queryAllByText(textOf('purchase', 'kept', { count: 7 }))).toHaveLength(count)
  })

  it('near a place come first while its chip is pressed, and a tap chooses one and closes', async () => {
    const { sheet, onDraft } = await openBranches()
    await userEvent.click(chip(sheet))
    expect(sheet.getByRole('heading', { name: near() })).toBeTruthy()
    expect(answersIn(sheet)[0]).toBe('An Narjisabout 12 kmCaravan Rd., shop 5Sun–Thu 8–23')
    await userEvent.click(chip(sheet))
    expect(sheet.queryByRole('heading', { name: near() })).toBeNull()
    await userEvent.click(chip(sheet))
    await userEvent.click(sheet.getByRole('button', { name: /^An Narjis/ }))
    expect(onDraft.mock.lastCall?.[0]).toMatchObject({ centerCode: 'B5' })
    await waitFor(() =>
      expect(screen.queryByRole('dialog', { name: t('labels.FROM_MINA.centerCode') })).toBeNull(),
    )
  })

  it('are found by a place in words; a place that is not known leads to the districts', async () => {
    const { sheet } = await openBranches()
    const search = sheet.getByRole('searchbox', { name: t('search.centerCode') })
    await userEvent.type(search, 'near the airport')
    expect(sheet.getByRole('heading', { name: near() })).toBeTruthy()
    expect(answersIn(sheet)[0]).toContain('An Narjis')
    fireEvent.change(search, { target: { value: 'Eiffel Tower' } })
    expect(sheet.getByText(t('branch.none')).getAttribute('role')).toBe('status')
    expect(districts(sheet)).toHaveLength(4)
  })
})

describe('the sheet of a question', () => {
  it('a tap chooses and asks the next question; the last one folds to a line that gets the focus', async () => {
    renderPage(<Booking />)
    await loaded()
    await choose('labels.FROM_MINA.toCity', 'Riyadh')
    await choose('labels.FROM_MINA.centerCode', 'Al Suwaidi')
    await choose('labels.FROM_MINA.agentCode', 'Agent Kudai')
    expect(screen.queryByRole('dialog')).toBeNull()
    const change = (question: string) =>
      screen.getByRole('button', { name: `${t(`labels.FROM_MINA.${question}`)} ${t('change')}` })
    expect(document.activeElement).toBe(change('agentCode'))
    const sheet = await openSheet('labels.FROM_MINA.toCity')
    expect(sheet.getByRole('button', { name: /Riyadh/ }).getAttribute('aria-current')).toBe('true')
  })

  it('shows the agents of one place under its chip, and all again when it is pressed once more', async () => {
    renderPage(<Booking />)
    await loaded()
    const sheet = await openSheet('labels.FROM_MINA.agentCode')
    const rows = () => answersIn(sheet).length
    const mina = sheet.getByRole('button', { name: 'Mina' })
    await userEvent.click(mina)
    expect([rows(), mina.getAttribute('aria-pressed')]).toEqual([1, 'true'])
    await userEvent.click(mina)
    expect(rows()).toBe(2)
  })

  it('shows the letters of cities and the number of their branches, the popular ones first', async () => {
    const many = ['Abha', 'Hail', 'Tabuk', 'Jazan', 'Najran', 'Arar', 'Taif', 'Yanbu'].map((city) =>
      centerOf({ code: city, city }),
    )
    stubGateway(partnerOf([...many, ...centers], agents))
    renderPage(<Booking />)
    await loaded()
    const sheet = await openSheet('labels.FROM_MINA.toCity')
    expect(sheet.getByRole('heading', { name: t('popular') })).toBeTruthy()
    const rows = answersIn(sheet)
    expect(rows[0]).toBe('RUHRiyadh2 branches')
    expect(rows).toHaveLength(10)
    await userEvent.type(sheet.getByRole('searchbox'), 'a')
    expect(sheet.queryByRole('heading', { name: t('popular') })).toBeNull()
  })
})

describe('the nearest', () => {
  type Ask = Geolocation['getCurrentPosition']
  const locate = (getCurrentPosition: Ask) => stubNavigator({ geolocation: { getCurrentPosition } })
  const at = (latitude: number, longitude: number): Ask => {
    return (found) => found({ coords: { latitude, longitude } } as GeolocationPosition)
  }
  const failing = (code: number): Ask => {
    return (_, failed) => failed?.({ code } as GeolocationPositionError)
  }
  const chip = (sheet: Sheet) => sheet.getByRole('button', { name: t('nearest.label') })

  it('is asked for, never assumed; then the list starts with it and shows distances where known', async () => {
    const ask = vi.fn<Ask>(at(21.4226, 39.8729))
    locate(ask)
    const calls = stubGateway(partner)
    renderPage(<Booking />)
    await loaded()
    const sheet = await openSheet('labels.FROM_MINA.agentCode')
    expect(ask).not.toHaveBeenCalled()
    expect(answersIn(sheet)[0]).toContain('Agent Kudai')
    calls.length = 0
    await userEvent.click(chip(sheet))
    expect(ask).toHaveBeenCalledOnce()
    expect(chip(sheet).getAttribute('aria-pressed')).toBe('true')
    expect(answersIn(sheet)[0]).toMatch(/^وكيل منى ١2\.4 km/)
    expect(answersIn(sheet)[1]).not.toContain('km')
    expect(sheet.getByText(t('nearest.known'))).toBeTruthy()
    expect(calls).toEqual([])
    await userEvent.click(chip(sheet))
    expect(answersIn(sheet)[0]).toContain('Agent Kudai')
    await userEvent.click(chip(sheet))
    // Once the user has allowed the position, the page does not ask again.
    await userEvent.click(sheet.getByRole('button', { name: textOf('ui', 'close') }))
    await closed()
    expect(answersIn(await openSheet('labels.FROM_MINA.agentCode'))[0]).toContain('2.4 km')
    expect(ask).toHaveBeenCalledOnce()
  })

  it.each([
    [1, 'refused'],
    [2, 'unknown'],
    [3, 'unknown'],
  ] as const)('that cannot be known (%i) is explained and costs nothing', async (code, reason) => {
    locate(failing(code))
    renderPage(<Booking />)
    await loaded()
    const sheet = await openSheet('labels.FROM_MINA.agentCode')
    const before = answersIn(sheet)
    await userEvent.click(chip(sheet))
    expect(sheet.getByText(t(`nearest.${reason}`)).getAttribute('role')).toBe('status')
    expect(chip(sheet).getAttribute('aria-pressed')).toBe('false')
    expect(answersIn(sheet)).toEqual(before)
    // The user has allowed the position meanwhile: another press asks again.
    locate(at(21.4226, 39.8729))
    await userEvent.click(chip(sheet))
    expect(answersIn(sheet)[0]).toContain('2.4 km')
  })

  it.each([
    ['for branches, which are far from where a bag is booked', 'centerCode', at(24.7, 46.7)],
    ['for cities', 'toCity', at(21, 39)],
    ['by a browser without geolocation', 'agentCode', undefined],
  ])('is not offered %s', async (_, question, position) => {
    if (position) locate(position)
    stubNavigator({ permissions: { query: async () => ({ state: 'granted' }) } })
    renderPage(<Booking start={{ toCity: 'Riyadh' }} />)
    await loaded()
    const sheet = await openSheet(`labels.FROM_MINA.${question}`)
    expect(sheet.queryByRole('button', { name: t('nearest.label') })).toBeNull()
    expect(answersIn(sheet).join()).not.toContain('km')
  })
})

describe('what is not sold', () => {
  const text = { ar: 'متوقف اليوم.', en: 'Closed today.' }
  const agentStop: Stop = { what: 'agent', code: 'A1', text }
  const chosen = { agentCode: 'A1', toCity: 'Jeddah', centerCode: 'JED1' }

  it('is marked in its list with the sentence, and cannot be chosen', async () => {
    renderPage(<Booking stops={[agentStop]} />)
    await loaded()
    const sheet = await openSheet('labels.FROM_MINA.agentCode')
    expect(sheet.getByRole('button', { name: /Closed today\./ })).toHaveProperty('disabled', true)
  })

  it.each<[string, Stop, string]>([
    ['agent', agentStop, 'agentCode'],
    ['city', { what: 'city', code: 'Jeddah', text }, 'toCity'],
    ['branch', { what: 'branch', code: 'JED1', text }, 'centerCode'],
  ])('is said of a draft that has it: %s', async (_, stop, question) => {
    const onContinue = vi.fn()
    renderPage(<Booking start={chosen} stops={[stop]} onContinue={onContinue} />)
    await loaded()
    await userEvent.click(continueButton())
    const change = field(`labels.FROM_MINA.${question}`)
    expect(document.activeElement).toBe(change)
    const described = document.getElementById(change.getAttribute('aria-describedby') ?? '')
    expect(described?.textContent).toBe('Closed today.')
    expect(screen.getAllByText('Closed today.')).toHaveLength(1)
    expect(screen.getByText(t('notSold'))).toBeTruthy()
    expect(onContinue).not.toHaveBeenCalled()
  })

  it('is all, from its time: the page says so, and has the draft again when it is over', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: Date.UTC(2027, 4, 18, 12) })
    try {
      const at = (minutes: number) => new Date(Date.UTC(2027, 4, 18, 12, minutes)).toISOString()
      renderPage(<Booking start={chosen} stops={[{ what: 'all', from: at(1), until: at(2), text }]} />)
      await loaded()
      act(() => vi.advanceTimersByTime(60_000))
      expect(screen.getByRole('status').textContent).toContain('Closed today.')
      expect(screen.getByRole('link', { name: textOf('stop', 'orders') })).toBeTruthy()
      expect(screen.queryByRole('button', { name: t('continue') })).toBeNull()
      act(() => vi.advanceTimersByTime(60_000))
      expect(field('labels.FROM_MINA.centerCode').textContent).toBe(t('change'))
      expect(continueButton()).toHaveProperty('disabled', false)
    } finally {
      vi.useRealTimers()
    }
  })
})
