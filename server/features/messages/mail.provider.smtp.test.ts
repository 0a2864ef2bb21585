import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { text as textOf } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { expect, it, onTestFinished } from 'vitest'
import { createMailProvider } from './mail.provider.smtp.ts'

/** A mail server that ends the connection instead of an answer `cut`. */
async function serverThatCuts(cut: string, extensions: readonly string[]): Promise<string> {
  const server = createServer(async (socket) => {
    socket.on('error', () => undefined)
    socket.write('220 ready\r\n')
    let isLetter = false
    for await (const line of createInterface({ input: socket })) {
      if (isLetter && line !== '.') continue
      if (line.startsWith(cut)) break
      isLetter = line === 'DATA'
      if (line.startsWith('EHLO')) for (const name of extensions) socket.write(`250-${name}\r\n`)
      socket.write(isLetter ? '354 go on\r\n' : '250 done\r\n')
    }
    socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const letter = {
  to: 'maryam@example.com',
  subject: 'subject',
  text: 'text',
  html: '<p>text',
  pictures: [],
  files: [],
  messageId: '<1.1.1@example.com>',
}

const providerAt = (url: string) =>
  createMailProvider({ url, from: 'no-reply@example.com', name: 'Amtiati', demandsTls: false })
const send = (url: string) => providerAt(url).send(letter)

it.each<[string, readonly string[], object]>([
  ['EHLO', [], { outcome: 'unavailable', isCertain: true }],
  ['MAIL FROM', [], { outcome: 'unavailable', isCertain: true }],
  ['RCPT TO', [], { outcome: 'unavailable', isCertain: true }],
  ['RCPT TO', ['PIPELINING'], { outcome: 'unavailable', isCertain: true }],
  ['DATA', [], { outcome: 'unavailable', isCertain: true }],
  // Every line has come, and only the answer is missing.
  ['.', [], { outcome: 'unavailable', isCertain: false }],
  ['never', [], { outcome: 'accepted' }],
])(
  'knows at %s %j that a connection was cut before the letter, or perhaps after it',
  async (cut, extensions, expected) => {
    expect(await send(await serverThatCuts(cut, extensions))).toMatchObject(expected)
  },
)

it('sends the HTML with its pictures beside the plain text, and the files apart', async () => {
  let raw = ''
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onData(stream, _session, callback) {
      textOf(stream).then((text) => {
        raw = text
        callback()
      }, callback)
    },
  })
  const opened = server.listen(0, '127.0.0.1')
  await once(opened, 'listening')
  onTestFinished(() => void server.close())
  const pictures = [{ cid: 'bars@letter', name: 'bars.png', png: Buffer.from('picture') }]
  const files = [{ name: 'OD-7.pdf', pdf: Buffer.from('%PDF-') }]
  const url = `smtp://127.0.0.1:${(opened.address() as AddressInfo).port}`
  await providerAt(url).send({
    to: letter.to,
    subject: 'باركود حقيبتك',
    text: letter.text,
    html: '<img src="cid:bars@letter">',
    pictures,
    files,
    messageId: letter.messageId,
  })
  const types = [...raw.matchAll(/^Content-Type: ([\w/]+)/gm)].map(([, type]) => type)
  expect(types).toEqual([
    'multipart/mixed',
    'multipart/alternative',
    'text/plain',
    'multipart/related',
    'text/html',
    'image/png',
    'application/pdf',
  ])
  const { html, subject, attachments } = await PostalMime.parse(raw)
  expect([html?.trim(), subject]).toEqual(['<img src="cid:bars@letter">', 'باركود حقيبتك'])
  expect(attachments.map(({ contentId, disposition }) => [contentId, disposition])).toEqual([
    ['<bars@letter>', 'inline'],
    [undefined, 'attachment'],
  ])
})

it.each([
  ['p@ss', { outcome: 'accepted' }, { isEncrypted: false, isSignedIn: true }],
  ['else', { outcome: 'refused', fault: { reason: 'account' } }, 'EAUTH'],
])('signs in as its address says, where the server knows the password %s', async (known, expected, found) => {
  let letters = 0
  const server = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onAuth({ username, password }, _session, callback) {
      const isKnown = username === 'desk@example.com' && password === known
      callback(isKnown ? null : new Error('535 5.7.8 bad'), isKnown ? { user: username } : undefined)
    },
    onData(stream, _session, callback) {
      letters += 1
      stream.resume().on('end', () => callback())
    },
  })
  const opened = server.listen(0, '127.0.0.1')
  await once(opened, 'listening')
  onTestFinished(() => void server.close())
  const { port } = opened.address() as AddressInfo
  const url = `smtp://desk%40example.com:p%40ss@127.0.0.1:${port}`
  // A check sends no letter.
  expect(
    await providerAt(url)
      .check(10_000)
      .catch(({ code }) => code),
  ).toEqual(found)
  expect(letters).toBe(0)
  expect(await send(url)).toMatchObject(expected)
})
