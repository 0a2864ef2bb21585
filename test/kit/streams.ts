import type { Streams } from '#server/platform/streams.ts'

/** For routes whose streams no test opens. */
export const noStreams: Pick<Streams, 'open'> = {
  open: () => Promise.reject(new Error('no stream is opened here')),
}
