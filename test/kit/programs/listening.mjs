import { subscribe } from 'node:diagnostics_channel'

/* Loaded into programs that tests start: tells the parent when a server of this process listens, which an answer at its address does not. */
subscribe('tracing:net.server.listen:asyncEnd', () => process.send?.('listening'))
