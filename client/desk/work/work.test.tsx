// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { deskOrderOf } from '#test/builders/desk.builder.ts'
import { stubEventSource } from '#test/kit/client/event-source.ts'
import { plainText } from '#test/kit/client/plain-text.ts'
import { openDesk } from '#test/kit/client/render-desk.tsx'
import { problem } from '#test/kit/client/render-page.tsx'

const hour = 3_600_000
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

const huda = (isStale = false) => ({
  name: 'هدى',
  isYou: false,
  since: '2027-05-19T11:10:00.000Z',
  movedAt: ago(70 * 60_000),
  isStale,
  handedBy: null,
  note: null,
})
const row = (id: number, taken: object | null = null) => ({
  kind: 'bags',
  id: String(id),
  reason: 'silent',
  orderId: id,
  awb: null,
  city: 'Riyadh',
  since: ago(30 * hour),
  dueAt: ago(6 * hour),
  lastNews: null,
  text: `No news of ${id}`,
  data: {},
  taken,
})
const work = (rows: readonly object[], mine: readonly object[] = []) => ({
  body: {
    success: true,
    mine,
    ofOrder: [],
    refused: [],
    colleagues: [{ id: 'm', name: 'ماجد', has: 1 }],
    lists: ['bags', 'claims'].map((kind) => ({
      kind,
      count: kind === 'bags' ? rows.length : 4,
      late: kind === 'bags' ? rows.length : 0,
      free: 1,
      oldest: ago(30 * hour),
      nextDueAt: ago(-24 * hour),
    })),
  },
})
const list = 'GET /api/desk/work/bags'
const overview = 'GET /api/desk/work'
const take = (id: number) => `POST /api/desk/work/bags/${id}/take`

const open = (rows: readonly object[], answers = {}, wish = {}) =>
  openDesk(
    '/work/bags',
    { [overview]: work(rows), [list]: { body: { success: true, rows } }, ...answers },
    wish,
  )

/** Finds the row on screen by the text of its link. */
const line = async (id: number) =>
  within((await screen.findByRole('link', { name: `OD-${id}` })).closest('tr') as HTMLElement)

describe('a work list', () => {
  beforeEach(() => window.localStorage.clear())

  it('is what the desk opens with for support, with counts in the menu and where to go on', async () => {
    const { where } = openDesk('/', {
      [overview]: work([row(7)]),
      [list]: { body: { success: true, rows: [row(7)] } },
    })
    await line(7)
    expect(where()).toBe('/work/bags')
    // The name is an attribute for screen readers: a hidden caption would still be as wide as its text.
    expect(screen.getByRole('table', { name: 'Bags to check' }).querySelector('caption')).toBeNull()
    const menu = within(screen.getByRole('navigation', { name: 'Parts of the desk' }))
    const age = 'The oldest has waited 30 hours'
    expect(menu.getByRole('link', { name: `Bags to check 1 (1 past the limit) ${age}` })).toBeTruthy()
    // The same text appears when the pointer is over the count.
    expect(menu.getAllByTitle(age)).toHaveLength(2)
    expect(menu.getByRole('link', { name: `Claims to answer 4 ${age}` }).getAttribute('href')).toBe(
      '/work/claims',
    )
  })

  it('leads no one back who has gone to the search while the page was loaded', async () => {
    window.history.replaceState(null, '', '/search')
    onTestFinished(() => window.history.replaceState(null, '', '/'))
    document.title = ''
    const { where } = openDesk('/', { [overview]: work([row(7)]) })
    // The page has loaded.
    await waitFor(() => expect(document.title).not.toBe(''))
    expect(where()).toBe('/')
  })

  it('names the person so that an Arabic name leaves the words beside it in their order', async () => {
    open([row(7)])
    expect((await screen.findByText(/\(you\)$/)).textContent).toBe('\u2068سارة\u2069 (you)')
    expect(screen.getByText(/\(you\)$/).closest('bdi')).toBeNull()
  })

  it('tells what was refused of what the person asked for, by whom and why', async () => {
    const refused = [
      {
        approvalId: 4,
        orderId: 5588,
        text: 'refund: SAR 50.00',
        by: 'Huda',
        at: ago(2 * hour),
        note: 'The bag was found',
      },
    ]
    const of = work([row(7)])
    open([row(7)], { [overview]: { body: { ...of.body, refused } } })
    const card = within((await screen.findByText('The bag was found')).closest('.ant-card') as HTMLElement)
    expect(card.getByRole('heading').textContent).toContain('Refused of what you asked for')
    expect(card.getByRole('link', { name: 'OD-5588' }).getAttribute('href')).toBe('/orders/5588')
    expect(card.getByText(/^.Huda.:$/)).toBeTruthy()
  })

  it('takes the row in focus with T, whatever the layout', async () => {
    const { person, calls } = open([row(7), row(8)], {
      [take(8)]: { body: { success: true, row: row(8) } },
    })
    await line(8)
    await person.keyboard('jj')
    expect(document.activeElement?.textContent).toBe('OD-8')
    act(
      () =>
        void document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { code: 'KeyT', key: 'ف', bubbles: true }),
        ),
    )
    await waitFor(() => expect(calls.find(({ method }) => method === 'POST')?.path).toContain('/8/take'))
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({})
  })

  it('asks before it takes what a colleague moves, and says since when it saw that', async () => {
    const { person, calls } = open([row(7, huda())], { [take(7)]: { body: { success: true, row: row(7) } } })
    await person.click((await line(7)).getByRole('button', { name: 'Take it over…' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(calls.some(({ method }) => method === 'POST')).toBe(false)
    expect(dialog.getByRole('link', { name: 'Leave a note' }).getAttribute('href')).toBe('/orders/7?act=note')
    await person.click(dialog.getByRole('button', { name: 'Take it over' }))
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
        over: '2027-05-19T11:10:00.000Z',
      }),
    )
  })

  it('takes at once, and once, what stands still for an hour', async () => {
    const { calls } = open([row(7, huda(true))], {
      [take(7)]: { body: { success: true, row: row(7) } },
    })
    const { getByText, getByRole } = await line(7)
    expect(getByText(/not moved for 70 minutes/)).toBeTruthy()
    const button = getByRole('button', { name: 'Assign to me' })
    fireEvent.click(button)
    fireEvent.click(button)
    const asked = (method: string) => calls.filter((call) => call.method === method)
    const before = asked('GET').length
    // The list is read again after it.
    await waitFor(() => expect(asked('GET').length).toBeGreaterThan(before))
    expect(asked('POST')).toHaveLength(1)
  })

  it('shows who has a row as soon as the stream says that the lists have changed, and reads once for many at a time', async () => {
    const sources = stubEventSource()
    let has: object | null = null
    const { calls } = open([row(7)], {
      [overview]: () => work([row(7, has), row(8)]),
      [list]: () => ({ body: { success: true, rows: [row(7, has), row(8)] } }),
    })
    const told = () => sources.at(-1)?.send('changed', {})
    const asked = (path: string) => calls.filter((each) => each.path === path).length
    await line(7)
    await waitFor(() => expect(sources.length).toBeGreaterThan(0))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
    act(told)
    await pass(300)
    const [ofAll, ofRows] = [asked('/api/desk/work'), asked('/api/desk/work/bags')]
    has = huda()
    for (let notices = 0; notices < 20; notices += 1) act(told)
    await pass(9_600)
    expect([asked('/api/desk/work'), asked('/api/desk/work/bags')]).toEqual([ofAll, ofRows])
    await pass(400)
    expect((await line(7)).getByText(/هدى/)).toBeTruthy()
    expect((await line(8)).queryByText(/هدى/)).toBeNull()
    expect([asked('/api/desk/work'), asked('/api/desk/work/bags')]).toEqual([ofAll + 1, ofRows + 1])
  })

  it('asks for who has a row where no stream says so', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    let has: object | null = null
    const { calls } = open([row(7)], {
      [overview]: () => work([row(7)]),
      [list]: () => ({ body: { success: true, rows: [row(7, has)] } }),
    })
    await line(7)
    has = huda()
    const asked = () => calls.filter(({ path }) => path === '/api/desk/work').length
    const before = asked()
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    await (await line(7)).findByText(/هدى/)
    expect(asked()).toBe(before + 1)
  })

  it('shows without owner what was given back', async () => {
    const sources = stubEventSource()
    let free: object[] = []
    const { person } = open([row(7)], {
      [list]: ({ query }: { query: Record<string, string> }) => ({
        body: { success: true, rows: query.whose === 'free' ? free : [row(7)] },
      }),
    })
    await line(7)
    await person.click(screen.getByText(/^Without owner/))
    await screen.findByText(/^Nothing here/)
    free = [row(7)]
    act(() => sources.at(-1)?.send('changed', {}))
    await line(7)
  })

  it('says of a row what is so of that row now, whatever was refused before', async () => {
    const { person } = open([row(7), row(8, huda()), row(9, { ...huda(), isYou: true })], {
      [take(7)]: problem(409, 'WORK_TAKEN', 'Huda has had this for 1 minute. Yours was not done.'),
      [take(8)]: { body: { success: true, row: row(8, { ...huda(), isYou: true }) } },
    })
    await person.click((await line(7)).getByRole('button', { name: 'Assign to me' }))
    const dialog = async () => within(await screen.findByRole('dialog'))
    expect((await dialog()).getByText(/Yours was not done/)).toBeTruthy()
    await person.click((await dialog()).getAllByRole('button', { name: 'Close' })[1] as HTMLElement)
    await person.click((await line(9)).getByRole('button', { name: 'Release' }))
    expect((await screen.findByRole('alert')).textContent).toContain('could not connect')
    await person.click((await line(8)).getByRole('button', { name: 'Take it over…' }))
    expect((await dialog()).queryByText(/Yours was not done/)).toBeNull()
    await person.click((await dialog()).getByRole('button', { name: 'Take it over' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('keeps the place of who works without a mouse: after a press, and after a dialog', async () => {
    let taken: object | null = null
    const { person } = open([row(7), row(8)], {
      [list]: () => ({ body: { success: true, rows: [row(7), row(8, taken)] } }),
      [take(8)]: async () => {
        await waitFor(() => expect(document.activeElement?.matches(':disabled')).toBe(true))
        // Browsers take the focus from a disabled button; jsdom does not.
        act(() => (document.activeElement as HTMLElement).blur())
        taken = { ...huda(), isYou: true }
        return { body: { success: true, row: row(8, taken) } }
      },
    })
    const focused = () => document.activeElement?.textContent
    ;(await line(8)).getByRole('button', { name: 'Assign to me' }).focus()
    await person.keyboard('{Enter}')
    await (await line(8)).findByRole('button', { name: 'Release' })
    expect(focused()).toBe('OD-8')
    await person.keyboard('h')
    await screen.findByRole('dialog')
    await person.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(focused()).toBe('OD-8')
    ;(await line(8)).getByRole('button', { name: 'Hand over…' }).focus()
    await person.keyboard('{Enter}')
    await screen.findByRole('dialog')
    await person.keyboard('{Escape}')
    await waitFor(() => expect(focused()).toBe('Hand over…'))
  })

  it('is handed over with a colleague and a note of five letters', async () => {
    const mine = row(7, { ...huda(), isYou: true })
    const path = 'POST /api/desk/work/bags/7/hand'
    const { person, calls } = open([mine], { [path]: { body: { success: true, row: mine } } })
    await person.click((await line(7)).getByRole('button', { name: 'Hand over…' }))
    const dialog = within(await screen.findByRole('dialog'))
    const ok = dialog.getByRole('button', { name: 'Hand over' })
    await person.type(dialog.getByRole('textbox'), 'Call the branch')
    await person.click(ok)
    await dialog.findByText('This field is required.')
    await person.click(dialog.getByRole('radio', { name: 'ماجد' }))
    await person.click(ok)
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
        to: 'm',
        note: 'Call the branch',
      }),
    )
  })

  it('says in the reader’s language where a bag was last seen and when', async () => {
    vi.setSystemTime('2027-05-19T12:00:00+03:00')
    const news = { state: 'IN_TRANSIT', at: '2027-05-17T07:22:00.000Z', words: 'Left the hub' }
    open(
      [
        { ...row(7), lastNews: { ...news, place: 'جدة' } },
        { ...row(8), lastNews: { ...news, place: null } },
      ],
      {},
      { language: 'ar' },
    )
    const textOf = async (id: number) =>
      plainText((await line(id)).getAllByRole('cell')[1]?.textContent ?? '')
    expect(await textOf(7)).toBe('في الطريق، \u2068جدة\u206917 مايو، 10:22 ص')
    expect(await textOf(8)).toBe('في الطريق17 مايو، 10:22 ص')
    vi.useRealTimers()
  })

  it.each([
    ['en', 'Nothing here. Next: 4 claims to answer, the oldest due tomorrow.'],
    ['ar', 'لا شيء هنا. التالي: 4 بلاغات للرد، أقدمها يُستحق غدًا.'],
  ] as const)('leads on from an empty list, in %s', async (language, text) => {
    open([], {}, { language })
    const link = await screen.findByRole('link', { name: /^4 (claims to answer|بلاغات للرد)$/ })
    expect(link.closest('p')?.textContent).toBe(text)
  })

  it('keeps its rows when it fails, and says since when', async () => {
    open([], { [list]: () => undefined }, { language: 'ar' })
    expect((await screen.findByRole('alert')).textContent).toContain('تعذّر عرض القائمة.')
  })
})

describe('an order that waits', () => {
  it('says who has it, and leads to the answer of its claim', async () => {
    const claim = { ...row(118), kind: 'claims', orderId: 5604 }
    const of = work([])
    const { person, where } = openDesk('/orders/5604', {
      'GET /api/desk/orders/5604': { body: { success: true, order: deskOrderOf(5604) } },
      [overview]: { body: { ...of.body, ofOrder: [row(5604, huda()), claim] } },
    })
    await screen.findByText(/هدى.*ago/)
    await person.click(screen.getByRole('button', { name: 'Answer claim CL-118' }))
    expect(where()).toBe('/claims/118')
  })

  it('shows at once that it is taken, also while what else waits is being read', async () => {
    let isTaken = false
    const { person } = openDesk('/orders/5604', {
      'GET /api/desk/orders/5604': { body: { success: true, order: deskOrderOf(5604) } },
      [overview]: () =>
        isTaken ? new Promise<never>(() => {}) : { body: { ...work([]).body, ofOrder: [row(5604)] } },
      [take(5604)]: () => {
        isTaken = true
        return { body: { success: true, row: row(5604, { ...huda(), isYou: true }) } }
      },
    })
    await person.click(await screen.findByRole('button', { name: 'Assign to me' }))
    await screen.findByRole('button', { name: 'Release' })
  })

  it('names in the dialog of an act who has it, takes it over from that one alone, and then names the next', async () => {
    const majed = { ...huda(), name: 'ماجد', since: '2027-05-19T11:12:00.000Z' }
    let has: object = huda()
    const refund = 'POST /api/desk/orders/5604/actions/refund'
    const { person, calls } = openDesk(
      '/orders/5604?act=refund',
      {
        'GET /api/desk/orders/5604': { body: { success: true, order: deskOrderOf(5604) } },
        [overview]: () => ({ body: { ...work([]).body, ofOrder: [row(5604, has)] } }),
        [refund]: () => {
          if (has === majed) return { body: { success: true } }
          has = majed
          return problem(409, 'WORK_TAKEN', 'Majed has had it for 1 minute.')
        },
      },
      { roles: ['money'] },
    )
    const dialog = within(await screen.findByRole('dialog'))
    await dialog.findByText(/هدى.* has this/)
    await person.click(dialog.getByRole('radio', { name: 'Paid twice' }))
    await person.type(dialog.getByRole('textbox'), 'Both cards were charged')
    const ok = dialog.getByRole('button', { name: /^Ask for/ })
    await person.click(ok)
    await dialog.findByText(/ماجد.* has this/)
    await person.click(ok)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const sent = calls.filter(({ method }) => method === 'POST').map(({ body }) => body)
    expect(sent).toMatchObject([{ over: huda().since }, { over: majed.since }])
  })
})

describe('the list of agents who are shut out', () => {
  const agent = {
    kind: 'agents',
    id: '3',
    reason: 'agent',
    orderId: null,
    awb: null,
    city: null,
    since: ago(hour),
    dueAt: ago(-20 * hour),
    lastNews: null,
    text: '10 wrong codes',
    taken: null,
    data: { agent: 'A03', name: 'وكيل منى', phone: '+966 ••••• 0103', wrong: 10, sends: 4 },
  }
  const openAgents = (answers = {}, wish = {}) =>
    openDesk(
      '/work/agents',
      {
        [overview]: work([]),
        'GET /api/desk/work/agents': { body: { success: true, rows: [agent] } },
        ...answers,
      },
      wish,
    )

  it('lets the device in whose six digits the agent reads out, in any digits and groups, for a reason', async () => {
    window.localStorage.clear()
    const { calls, person } = openAgents({ 'POST /api/desk/agents/A03/open': { body: { success: true } } })
    await screen.findByText('وكيل منى')
    await person.click(screen.getByRole('button', { name: 'Let a device in…' }))
    const dialog = within(await screen.findByRole('dialog'))
    const ok = dialog.getByRole('button', { name: 'Let it in' })
    await person.type(dialog.getByLabelText(/^Reason/), 'called from this phone')
    await person.click(ok)
    await dialog.findByText('This field is required.')
    await person.type(dialog.getByLabelText(/^Six-digit number/), '٤٨٢ 913')
    await person.click(ok)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      pairing: '482913',
      reason: 'called from this phone',
    })
  })

  it('is read alone by who returns money', async () => {
    openAgents({}, { roles: ['money'] })
    await screen.findByText('وكيل منى')
    expect(screen.queryByRole('button', { name: 'Let a device in…' })).toBeNull()
  })
})
