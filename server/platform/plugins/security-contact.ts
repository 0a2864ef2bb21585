import type { FastifyInstance } from 'fastify'
import type { Clock } from '#server/platform/clock.ts'
import { brand } from '#shared/platform/brand.ts'

/** `security.txt` must expire in less than a year (RFC 9116). */
const validForMs = 180 * 86_400_000

export function registerSecurityContact(
  app: FastifyInstance,
  { publicUrl, clock }: { publicUrl: string; clock: Clock },
): void {
  const path = '/.well-known/security.txt'
  app.get(path, { schema: { hide: true } }, async (_, reply) => {
    const lines = [
      `Contact: mailto:${brand.contact.email}`,
      `Expires: ${new Date(clock.now() + validForMs).toISOString()}`,
      'Preferred-Languages: ar, en',
      `Canonical: ${publicUrl}${path}`,
    ]
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=86400')
      .send(`${lines.join('\n')}\n`)
  })
}
