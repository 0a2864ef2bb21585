import { hasDesk, readDatabaseLocation, requireInstallation, runTool, withSource } from './lib/tool.ts'
import { adopt } from './ops/adopt.ts'
import { afterRestore } from './ops/after-restore.ts'
import { readAheadMs } from './ops/time.ts'
import { readVerb } from './ops/verbs.ts'

const usage = `usage: npm run ops -- <verb> [--by <name>] [--as <subject>] [--reason <text>]
Reading:
  find <what>          the whole state of an order, by order number, reference, airway bill or transaction; by phone:
                       its sign-in and its orders
  stuck                paid bookings that need an operator: stopped, or without an airway bill for 15 minutes; and
                       refunds that are not done after six hours
  bags                 bags that need an operator: damaged, lost, returning, scans that contradict or are not of this
                       bag, or silent for TRACKING_SILENCE_HOURS
  messages             messages about bags that failed, were dropped or have waited for 15 minutes
  receipts             checks the sequence of receipts and invoices: no number missing
  workers              the background work of all gateways: which is paused, and since when
  check-payment-page   compares /payment at PUBLIC_URL (headers, document, bytes of each script) with this build and
                       configuration, and the provider's script with its integrity; exit code 1 on a difference. Needs
                       no database; reads the whole configuration of the gateway
  stops                what is not sold, or will not be from a time, and what pilgrims read of it
  audit [OD-n | n]     what operators changed, newest first; of one order
Changing, each stored with who, when, what, why, before and after (--by adds a name to the user of this machine):
  inquire <OD-n | n>   asks the payment provider about an order now
  reissue <OD-n | n>   permits another creation for the stopped bookings of an order, after another look-up
  refund <OD-n | n>    returns the whole payment of a paid order; tries a waiting refund again now. Needs --reason
  write-off <OD-n | n> [transaction]
                       closes a refund that cannot be made at the provider. Needs --reason
                       Where the desk is configured, these three only ask, in the name of --as: a subject of the identity
                       provider who signed in at the desk within 30 days, and who confirms it there before another person
                       approves it. A waiting refund is tried again without asking
  end-sessions         ends the sessions of all pilgrims and agents, without the second person of the desk: for an emergency.
                       Needs --as and --reason
  resend <OD-n | n>    sends the messages of an order again that failed or were dropped, and tries those that wait now
  seen <OD-n | n>      takes the bags of an order off the list of \`bags\`; a new scan puts them there again
  unlock <phone>       opens the sign-in of a phone (or the codes to an address) that is stopped after too many wrong codes in a row
  open-agent <phone> <six digits>
                       lets the one browser that shows these digits at the agents' sign-in past the codes of a day, once. Needs
                       --reason
  pause <worker>|all   lets background work claim nothing more, on all gateways, until it is resumed
  resume <worker>|all  lets it go on
  stop <what>          sells no more of all, agent <id>, branch <code> or city <its English name>: at once or --from a time,
                       and --until one (2027-05-18T06:00, in Riyadh's time unless it has a zone). --ar and --en are what
                       pilgrims read; without them a usual sentence. Orders that exist are still paid. Needs --reason
  sell <what>          sells it again. Needs --reason
  prune                deletes what is kept no longer, at once; reads the whole configuration of the gateway
  adopt --mode <m>     for a database with orders and no mode: its orders are real (live), or of a demo (demo). It cannot be
                       changed later
After PostgreSQL's own tools have restored the database of DATABASE_URL, with all gateways stopped:
  after-restore --since <time> [--previous <database>] [--order-gap <n>] [--other-installation <id>]
                       changes it, so that no number, shipment, refund or message is given out twice and no ended session lives
                       on, and lists what it lacks. --since is the time that it was restored to, with a zone:
                       2026-05-27T14:03:00+03:00. --previous is the database before, which is only read: its name on the same
                       server, or its postgres:// address. --order-gap: numbers of orders and receipts that are left out (100000),
                       more than can have been given out since without being in the previous database. --other-installation
                       permits a previous database of the installation with this id
For operators of a running gateway, through its database; its workers carry out what is ordered within seconds. Reads
DATA_DIR and DATABASE_URL from the environment and .env.`

await runTool(usage, async (args) => {
  if (args[0] === 'check-payment-page' && args.length === 1) {
    // Loaded here: other verbs do not need the gateway's pages.
    const { checkPaymentPage } = await import('./ops/payment-page.ts')
    await checkPaymentPage()
    return
  }
  if (args[0] === 'adopt') return adopt(args.slice(1))
  if (args[0] === 'after-restore') return afterRestore(args.slice(1))
  const work = readVerb(args)
  await withSource(await readDatabaseLocation(), {}, async (source) => {
    const { mode } = requireInstallation(source)
    source.database.setAhead(await readAheadMs(mode))
    const now = await source.database.readNow()
    console.log(await work(source.database, { now, hasDesk: hasDesk(mode) }))
  })
})
