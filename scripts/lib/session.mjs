import { startChildren } from './children.mjs'
import { stopRunning } from './run.mjs'

const readyWithinMs = 60_000

/** Ended by Ctrl-C before anything ran, as shells count it: 128 + SIGINT. */
const interruptedCode = 130

/**
 * The life of `npm start` and `npm run dev`: `prepare` (install, build, choose ports) returns
 * `{ children, raw, banner }`; then the children run until somebody presses Ctrl-C (exit 0) or one of them ends
 * (its last lines, its exit code).
 */
export async function runSession(prepare) {
  let children
  let isStopping = false
  const onSignal = async () => {
    if (isStopping) return
    isStopping = true
    if (children === undefined) return stopRunning()
    await children.stop()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal)
  onLossOfNpm(onSignal)

  const fail = async (message, code) => {
    if (isStopping) return
    isStopping = true
    console.error(`\n${message}`)
    await children?.stop()
    process.exit(code)
  }

  try {
    const { children: specs, raw, banner } = await prepare()
    if (isStopping) process.exit(interruptedCode)
    children = startChildren(specs, { raw, show: (text) => console.log(text) })
    const end = children.firstEnd.then((death) => ({ death }))
    const first = await Promise.race([end, children.untilReady(readyWithinMs)])
    if (!('death' in first) && !isStopping) console.log(banner)
    const { death } = await end
    const how = death.signal === null ? `code ${death.code}` : death.signal
    const message = [`${death.name} ended with ${how}.`, ...death.unseenLines].join('\n  ')
    await fail(message, death.code || 1)
  } catch (error) {
    if (isStopping && children === undefined) process.exit(interruptedCode)
    await fail(error.message, 1)
  }
}

/** npm that is told to end does not tell the script it runs: that its shell is gone is all we see of it. */
function onLossOfNpm(stop) {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    stop()
  }, 500)
  watch.unref()
}
