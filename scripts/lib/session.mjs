import { startChildren } from './children.mjs'
import { stopRunning } from './run.mjs'

const readyWithinMs = 60_000

/** One Ctrl-C reaches this process from the terminal and again from npm; only a later one kills the children. */
const echoMs = 1_000

const interruptedCode = 130

/**
 * The life of `npm start` and `npm run dev`: `prepare` (install, build, choose ports) returns `{ children, raw,
 * banner }`; then the children run until Ctrl-C (exit code 0) or until one of them ends (its last lines, its exit
 * code).
 */
export async function runSession(prepare) {
  let children
  let isStopping = false
  let stoppingSince = 0
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    stoppingSince = performance.now()
    if (children === undefined) return stopRunning()
    await children.stop()
    process.exit(0)
  }
  const onSignal = () => {
    if (!isStopping || performance.now() - stoppingSince < echoMs) return stop()
    children?.kill()
    process.exit(interruptedCode)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal)
  onLossOfNpm(stop)

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

/** npm does not pass SIGTERM on to its script; a changed parent process shows that npm has ended. */
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
