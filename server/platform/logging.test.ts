import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codeLength } from '#shared/platform/code-length.ts'
import { createLogger, maskedPhone } from './logging.ts'
import { during } from './work.ts'

type Log = ReturnType<typeof createLogger>

function written(write: (log: Log) => void): string {
  const lines: string[] = []
  write(createLogger('info', { write: (line) => void lines.push(line) }))
  return lines.join('')
}

const nested = (levels: number): object => ({ a: levels > 0 ? nested(levels - 1) : 'hush' })
const lineOf = (write: (log: Log) => void) => JSON.parse(written(write))

describe('createLogger', () => {
  it('writes one line of JSON with the time, and nothing below the level', () => {
    const out = written((log) => {
      log.info({ event: 'orders.paid', orderId: 7 }, 'done\nand done')
      log.debug('unheard')
    })
    expect(out.trim().split('\n')).toHaveLength(1)
    const line = JSON.parse(out)
    expect(line).toMatchObject({ event: 'orders.paid', orderId: 7, msg: 'done\nand done' })
    expect(Date.parse(line.time)).not.toBeNaN()
  })

  it('logs the path of a request and the status of a response', () => {
    const request = {
      id: 'r1',
      method: 'GET',
      url: '/payment?clientSecret=hush',
      headers: { cookie: 'hush' },
    }
    const line = lineOf((log) => log.info({ req: request, res: { statusCode: 200, headers: { a: 'hush' } } }))
    expect(line.req).toEqual({ id: 'r1', method: 'GET', path: '/payment' })
    expect(line.res).toEqual({ statusCode: 200 })
  })

  it.each<[string, object]>([
    ['headers', { headers: { cookie: 'hush', authorization: 'hush', 'set-cookie': ['hush'] } }],
    ['a key that lets a call be repeated', { headers: { 'idempotency-key': 'hush' } }],
    ['tokens', { session: { token: 'hush', authToken: 'hush', refresh_token: 'hush' } }],
    ['client secrets', { payment: { clientSecret: 'hush', client_secret: 'hush' } }],
    ['keys', { account: { apiKey: 'hush', api_key: 'hush', secretKey: 'hush', secret: { a: 'hush' } } }],
    ['signatures', { callback: { hmac: 'hush', computedHmac: 'hush' } }],
    ['codes', { body: { code: 'hush' }, request: { body: { code: '1234' } } }],
    [
      'names and addresses',
      { user: { name: 'hush' }, body: { first_name: 'hush', email: 'hush', to: { street: 'hush' } } },
    ],
    ['a deep value', { a: [{ b: { c: [{ token: 'hush' }] } }] }],
    ['a value deeper than in any log line of the gateway', nested(12)],
    [
      'an answer of an external service',
      {
        err: Object.assign(new Error('no'), { body: { token: 'hush', billing_data: { last_name: 'hush' } } }),
      },
    ],
  ])('redacts: %s', (_, line) => {
    const out = written((log) => log.error(line))
    expect(out).toContain('[redacted]')
    expect(out).not.toMatch(/hush|1234/)
  })

  it.each(['1234', '١٢٣٤', '1234567890', 10 ** codeLength - 1])('redacts the code %s', (code) => {
    const anywhere = [
      { code },
      { form: { Code: code } },
      { answers: [{ deep: { code } }] },
      { err: Object.assign(new Error('no'), { form: { code } }) },
    ]
    for (const line of [
      { body: { code } },
      { request: { body: { code } } },
      { otp: code },
      { otpCode: code },
      { sms_code: code },
      { CustomCode: code },
      // A number may be the code of a provider's error.
      ...(typeof code === 'string' ? anywhere : []),
    ])
      expect(written((log) => log.error(line))).not.toContain(String(code))
  })

  it.each(['To=x&Code=1234', 'sent code=1234 to it', '{"form":"VerificationSid=VE1&Code=1234"}'])(
    'redacts the code in a sentence: %s',
    (sentence) => {
      const out = written((log) => {
        log.warn(sentence)
        log.warn({ err: new Error(sentence) })
      })
      expect(out).not.toContain('1234')
      expect(out).toContain('code=[redacted]')
    },
  )

  it.each([
    'the query of GET /payment?clientSecret=hush&publicKey=hush was odd',
    'https://pay.example/a/b?hmac=hush',
    'Authorization: Token hush-hush-hush',
    'sent Bearer hushhushhush',
    'answered {"client_secret":"hush-hush"}',
    'answered {"api_key": "hush-hush"}',
    'token=hush-hush',
    'cookie: hush-hush',
  ])('redacts inside text: %s', (sentence) => {
    for (const out of [
      written((log) => log.warn(sentence)),
      written((log) => log.warn({ note: sentence })),
      written((log) => log.warn({ err: new Error(sentence, { cause: new Error(sentence) }) })),
      written((log) => log.warn({ answer: JSON.stringify({ sentence }) })),
    ]) {
      expect(out).toContain('[redacted]')
      expect(out).not.toContain('hush')
      expect(() => JSON.parse(out)).not.toThrow()
    }
  })

  it.each([
    'zxqvmail@ok.test',
    'zxqv.mail+hajj@mail.ok.test',
    'zxqvmail%40ok.test',
    'zxqvmail@موقع.السعودية',
    'zxqvmail@münchen.de',
  ])('shows no e-mail address: %s', (email) => {
    const out = written((log) => {
      log.info({ req: { method: 'GET', url: `/x/${email}` }, text: `no letter to <${email}>, or "${email}"` })
      log.warn({ err: Object.assign(new Error(`bad ${email}`), { detail: `Key (email)=(${email})` }) })
    })
    expect(out).not.toContain('zxqv')
    expect(out).toContain('no letter to <[redacted]>')
  })

  it.each([
    '+966512345678',
    '%2B966512345678',
    '966512345678',
    '00966512345678',
    '0512345678',
    '+4917612345678',
  ])('shows at most two digits of the phone %s', (phone) => {
    const out = written((log) => {
      log.info({ phone, to: phone, ConsigneePhone: phone, deep: [{ mobile: phone }] })
      log.info(`Key (phone)=(${phone}) already exists`)
      log.info({
        err: Object.assign(new Error(`no ${phone}`), { detail: `to ${phone}.`, body: { a: phone } }),
      })
    })
    expect(out).not.toContain(phone.slice(-9, -2))
    expect(out).toContain(`•${phone.slice(-2)}`)
  })

  it('keeps the kind of an error and the message of the provider', () => {
    const error = Object.assign(new Error('refused'), {
      code: 'ECONNREFUSED',
      body: { detail: 'no such integration', code: 60_200, errorCode: 'E4', statusCode: 400, isLive: false },
    })
    expect(lineOf((log) => log.error({ event: 'payments.intention-failed', err: error })).err).toMatchObject({
      type: 'Error',
      message: 'refused',
      code: 'ECONNREFUSED',
      body: { detail: 'no such integration', code: 60_200, errorCode: 'E4', statusCode: 400, isLive: false },
    })
  })

  it('writes of a database error its code, message and stack, and not the connection or the row', () => {
    class Client {
      readonly password = 'hush'
      readonly secretKey = 1_849_302_111
    }
    const lost = Object.assign(new Error('Connection terminated'), {
      code: 'ECONNRESET',
      client: new Client(),
    })
    const refused = Object.assign(new Error('violates check'), {
      code: '23514',
      severity: 'ERROR',
      detail: 'Failing row contains (7, Fatimah hush).',
    })
    for (const error of [lost, refused]) {
      const out = written((log) => log.warn({ event: 'database.connection-lost', err: error }))
      expect(Object.keys(JSON.parse(out).err).sort()).toEqual(['code', 'message', 'stack', 'type'])
      expect(out).not.toMatch(/hush|1849302111/)
    }
  })

  it('writes of an object that is no plain data only its kind', () => {
    class Connection {
      readonly password = 'hush'
    }
    const err = Object.assign(new Error('no'), { socket: new Connection() })
    const line = lineOf((log) => log.warn({ err, used: [new Connection()], last: new Error('why') }))
    expect(line).toMatchObject({
      err: { socket: '[Connection]' },
      used: ['[Connection]'],
      last: 'Error: why',
    })
  })

  it('writes one line of JSON, whatever it is given', () => {
    // Numbers in place of secrets, and secrets beside escapes of JSON.
    const awkward = fc.constantFrom(
      ...[
        'token:\nhush-hush',
        'api_key="\\hush-hush',
        '"password":"hush\\"hush"',
        '\n0512345678',
        '?a=b\u2028',
      ],
      ...['/track/\\hush', 'code=1234\\', '\\"secretKey\\":123456', 'Bearer hushhushhush\\"'],
    )
    const text = fc
      .array(fc.oneof(awkward, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 3 })
      .map((all) => all.join(''))
    const key = fc.oneof(
      text,
      fc.constantFrom('err', 'secretKey', 'token', 'code', 'phone', 'body', 'client'),
    )
    const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(966_512_345_678, 0.966512345678, 1e21))
    const anything = fc.anything({
      key,
      values: [text, number, fc.bigInt(), fc.boolean(), fc.constant(null)],
      withDate: true,
      withMap: true,
      withTypedArray: true,
      withNullPrototype: true,
      maxDepth: 2,
      maxKeys: 3,
    })
    fc.assert(
      fc.property(fc.dictionary(key, anything, { maxKeys: 3 }), text, anything, (line, message, extra) => {
        const err = Object.assign(new Error(message, { cause: new Error(message) }), { extra })
        for (const out of [
          written((log) => log.info(line, message)),
          written((log) => log.warn({ event: 'a', err, extra })),
        ]) {
          expect(out.trimEnd().split('\n')).toHaveLength(1)
          expect(JSON.parse(out)).toHaveProperty('msg')
        }
      }),
    )
  })

  it('redacts the secret of a shared link, wherever it stands', () => {
    const secret = 'aZ0-_'.repeat(9).slice(0, 43)
    const out = written((log) => {
      log.info({ req: { method: 'GET', url: `/api/track/${secret}?x=1`, id: '1' } })
      log.warn({ page: `https://amtiati.example/track/${secret}` }, `no answer for /TRACK/${secret}`)
    })
    expect(out).not.toMatch(/aZ0-_/)
    expect(out).toContain('/api/track/[redacted]')
  })

  it('does not redact harmless values that resemble secrets', () => {
    const line = {
      orderId: 512_345_678,
      awb: '290012345678',
      transactionId: 966_512,
      from: 'PENDING_PAYMENT',
      to: 'PAID',
      code: 'NOT_FOUND',
      phone: '•••••••••••78',
      note: 'Unexpected token < in JSON. Why?',
    }
    expect(lineOf((log) => log.info(line))).toMatchObject(line)
  })
})

describe('a line of a work', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const work = {
    id: 'request-1',
    span: {
      traceId,
      spanId: '00f067aa0ba902b7',
      traceFlags: 1,
    },
  }

  it('has its id and its trace', () => {
    const line = lineOf((log) => during(work, () => log.info({ event: 'orders.paid' })))
    expect(line).toMatchObject({ event: 'orders.paid', reqId: 'request-1', traceId })
  })

  it('has the id once where the logger has it', () => {
    const out = written((log) => during(work, () => log.child({ reqId: 'request-1' }).info('done')))
    expect(out.match(/reqId/g)).toHaveLength(1)
    expect(JSON.parse(out)).toMatchObject({ reqId: 'request-1', traceId })
  })

  it('has neither outside of any work', () => {
    const line = lineOf((log) => log.info('done'))
    expect(line).not.toHaveProperty('reqId')
    expect(line).not.toHaveProperty('traceId')
  })
})

describe('maskedPhone', () => {
  it('accepts very short text', () => {
    expect(maskedPhone('7')).toBe('7')
    expect(maskedPhone('')).toBe('')
  })
})
