import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export const pictureOf = ({ body }: FastifyRequest): Uint8Array =>
  body instanceof Uint8Array ? body : new Uint8Array()

/** Only the routes in this scope accept pictures. */
export async function acceptPictures(
  app: FastifyInstance,
  register: (child: FastifyInstance) => void,
): Promise<void> {
  await app.register(async (child) => {
    child.removeAllContentTypeParsers()
    child.addContentTypeParser('image/jpeg', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    register(child)
  })
}

/** A browser must save the picture as a file and run no script in it, because the gateway never decodes pictures. */
export function sendPicture(reply: FastifyReply, name: string, jpeg: Uint8Array): FastifyReply {
  return reply
    .type('image/jpeg')
    .header('content-disposition', `attachment; filename="${name}.jpg"`)
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .send(Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength))
}
