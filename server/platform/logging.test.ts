import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { maskedPhone } from './logging.ts'

describe('createLogger', () => {
  /** What a process of its own writes, because the logger writes to the real stdout. */
  async function written(statement: string): Promise<string> {
    const script = `import { createLogger } from ${JSON.stringify(import.meta.resolve('./logging.ts'))}
      const log = createLogger('info')
      ${statement}`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    return stdout
  }

  it('writes one line of JSON with the time, and no secret in it', async () => {
    const out = await written(`log.info({
      req: { id: 'r1', method: 'GET', url: '/thank-you?clientSecret=hush-1', headers: { cookie: 'hush-2' } },
      body: { code: 'hush-3', phone: '+9665' },
      session: { token: 'hush-4' },
      payment: { clientSecret: 'hush-5', client_secret: 'hush-6' },
      err: Object.assign(new Error('refused'), { body: { client_secret: 'hush-7', token: 'hush-8', code: 'hush-9' } }),
    }, 'done')
    log.debug('unheard')`)
    expect(out).not.toContain('hush')
    expect(out).not.toContain('unheard')
    expect(out.trim().split('\n')).toHaveLength(1)
    const line = JSON.parse(out)
    expect(line.req).toEqual({ id: 'r1', method: 'GET', path: '/thank-you' })
    expect(Date.parse(line.time)).not.toBeNaN()
  })

  it('says what kind of error it was, and what the other side did not like', async () => {
    const out = await written(`log.error({
      event: 'payments.intention-failed',
      err: Object.assign(new Error('refused'), { code: 'ECONNREFUSED', body: { detail: 'no such integration' } }),
    })`)
    expect(JSON.parse(out).err).toMatchObject({
      message: 'refused',
      code: 'ECONNREFUSED',
      body: { detail: 'no such integration' },
    })
  })
})

describe('maskedPhone', () => {
  it('shows the last two digits', () => {
    expect(maskedPhone('+966512345678')).toBe('•••••••••••78')
  })

  it('has nothing to hide in almost nothing', () => {
    expect(maskedPhone('7')).toBe('7')
    expect(maskedPhone('')).toBe('')
  })
})
