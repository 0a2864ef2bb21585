import { Duplex } from 'node:stream'

const ready = '220 world\r\n'
const answers: readonly (readonly [command: RegExp, answer: string])[] = [
  [/^DATA/i, '354 Go on\r\n'],
  [/^QUIT/i, '221 Bye\r\n'],
  [/^/, '250 Yes\r\n'],
]

/** In place of a connection to a mail server, which takes every letter: a real socket answers after real time. */
export class MailSocket extends Duplex {
  #received = ''
  #isLetter = false

  constructor(onConnect: () => void) {
    super()
    process.nextTick(() => {
      onConnect()
      this.push(ready)
    })
  }

  setTimeout(): this {
    return this
  }

  override _read(): void {
    // What there is to read is pushed with each answer.
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#received += bytes.toString('latin1')
    for (;;) {
      const end = this.#isLetter ? '\r\n.\r\n' : '\r\n'
      const at = this.#received.indexOf(end)
      if (at === -1) break
      const command = this.#isLetter ? '' : this.#received.slice(0, at)
      this.#received = this.#received.slice(at + end.length)
      this.#isLetter = /^DATA/i.test(command)
      this.push(answers.find(([pattern]) => pattern.test(command))?.[1])
    }
    done()
  }
}
