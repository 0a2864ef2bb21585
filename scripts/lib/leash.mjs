/**
 * For `node --import`, with an `ipc` channel to the parent: the process ends with its parent. A killed parent
 * cannot send a signal, but its end of the channel always closes.
 */
const graceMs = 10_000

process.once('disconnect', () => {
  process.kill(process.pid, 'SIGTERM')
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs).unref()
})
// The channel must not keep a finished process alive.
process.channel?.unref()
