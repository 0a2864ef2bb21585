/** An image of a registry, as Dockerfile and docker-compose.yml name it. */
export interface Image {
  /** `library/node` */
  readonly repository: string
  /** `24-slim` */
  readonly tag: string
}

export interface Registry {
  /** Answers the manifests: https://registry-1.docker.io */
  readonly url: string
  /** Gives out tokens for reading: https://auth.docker.io/token?service=registry.docker.io */
  readonly tokenUrl: string
}

export const dockerHub: Registry = {
  url: 'https://registry-1.docker.io',
  tokenUrl: 'https://auth.docker.io/token?service=registry.docker.io',
}

const name = String.raw`(?<name>[a-z0-9][a-z0-9._/-]*):(?<tag>[\w][\w.-]*)(?:@sha256:[0-9a-f]{64})?`
/** In a Dockerfile, and in a compose file. Stages and images built here have no tag. */
const reference = new RegExp(String.raw`^(?<before>FROM |\s+image: )${name}(?<after>[^\n]*)$`, 'gm')

/** The same text with every tag pinned to its digest; a pinned one is pinned anew. */
export async function pinImages(text: string, digestOf: (image: Image) => Promise<string>): Promise<string> {
  const digests = new Map<string, string>()
  for (const { groups } of text.matchAll(reference)) {
    const { name = '', tag = '' } = groups ?? {}
    const repository = name.includes('/') ? name : `library/${name}`
    if (!digests.has(`${name}:${tag}`)) digests.set(`${name}:${tag}`, await digestOf({ repository, tag }))
  }
  return text.replace(reference, (...found) => {
    const { before, name, tag, after } = found.at(-1) as Record<string, string>
    return `${before}${name}:${tag}@${digests.get(`${name}:${tag}`)}${after}`
  })
}

/**
 * The digest of an image for all platforms, by the registry's API (OCI distribution specification: HEAD of a manifest).
 * @throws where the registry cannot be reached or does not know the image.
 */
export async function readDigest({ repository, tag }: Image, registry: Registry): Promise<string> {
  const { token } = (await (
    await answered(fetch(`${registry.tokenUrl}&scope=repository:${repository}:pull`))
  ).json()) as { token: string }
  const response = await answered(
    fetch(`${registry.url}/v2/${repository}/manifests/${tag}`, {
      method: 'HEAD',
      headers: {
        authorization: `Bearer ${token}`,
        accept:
          'application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json',
      },
    }),
  )
  const digest = response.headers.get('docker-content-digest') ?? ''
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`${repository}:${tag} has no digest`)
  return digest
}

async function answered(request: Promise<Response>): Promise<Response> {
  const response = await request
  if (!response.ok) throw new Error(`${new URL(response.url).host} answers ${response.status}`)
  return response
}
