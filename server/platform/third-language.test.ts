import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freshFolder } from '#test/kit/fresh-folder.ts'

/**
 * A third language is one row of the registry and its catalogues. Urdu is registered before any other module is
 * evaluated; its texts are generated from the English ones.
 */
async function loadWithUrdu() {
  vi.resetModules()
  const { languages } = await import('#shared/platform/language.ts')
  Object.assign(languages, {
    ur: { code: 'ur', direction: 'rtl', label: 'اردو', intl: 'ur-u-ca-gregory-nu-latn' },
  })
  const { errors } = await import('#shared/errors.ts')
  const { brand } = await import('#shared/platform/brand.ts')
  const { durationForms, fieldTexts } = await import('#shared/platform/platform.texts.ts')
  const texts = [
    ...Object.values(errors).map(({ text }) => text),
    ...Object.values(fieldTexts),
    brand.contact.address,
    brand.purchase.notInTheBag,
    brand.purchase.terms,
    brand.purchase.provider,
  ]
  for (const text of texts) Object.assign(text, { ur: `⟦${text.en}⟧` })
  for (const unit of Object.values(durationForms)) Object.assign(unit, { ur: { other: '{n} ⟦ur⟧' } })
  return {
    brand,
    errors,
    fieldTexts,
    ...(await import('#shared/config/config.api.ts')),
    ...(await import('#shared/sessions/sessions.api.ts')),
    ...(await import('#test/builders/answer.builder.ts')),
    ...(await import('#test/kit/feature-app.ts')),
    ...(await import('./errors.ts')),
    ...(await import('./plugins/documents.ts')),
    ...(await import('./register-operation.ts')),
    ...(await import('./waiting.ts')),
  }
}

let modules: Awaited<ReturnType<typeof loadWithUrdu>>
beforeAll(async () => {
  modules = await loadWithUrdu()
})
// Test files may share a process: the next one evaluates the registry anew.
afterAll(() => vi.resetModules())

async function openGateway(cookies: Readonly<Record<string, string>> = { lang: 'ur' }) {
  const { configOf, errors, failure, headerScope, openBrowser, openFeatureApp } = modules
  const { readConfig, registerDocuments, registerOperation, requestOtp, waitInWords } = modules
  const root = freshFolder()
  await writeFile(join(root, 'index.html'), '<!doctype html><html lang="ar" dir="rtl"></html>')
  const { success: _, ...shownConfig } = configOf()
  const app = await openFeatureApp(async (feature) => {
    registerOperation(feature, headerScope, readConfig, async () => shownConfig)
    registerOperation(feature, headerScope, requestOtp, async () => {
      throw failure(errors, 'CODE_REQUESTED_TOO_SOON', {
        values: { wait: waitInWords(45) },
        retryAfterSeconds: 45,
      })
    })
    await registerDocuments(feature, {
      root,
      pages: { home: '/' },
      widgetPath: '/payment',
      cameraPath: '/scan',
      publicPages: [],
      secretPages: [],
      widget: { script: 'https://cdn.example/main.js', styles: [], frames: [] },
      reportPath: '/api/reports',
      publicUrl: 'https://amtiati.example',
      preview: () => ({ title: '', picture: '' }),
      isHttps: false,
      onMissing: (_request, reply) => reply.code(404).send(),
    })
  })
  return openBrowser(app, cookies)
}

describe('a language registered at run time', () => {
  it('is the language and direction of the document', async () => {
    const gateway = await openGateway()
    const { bytes, headers } = await gateway.get('/')
    expect(bytes.toString()).toContain('<html lang="ur" dir="rtl">')
    expect(headers['content-language']).toBe('ur')
  })

  it('is taken from the address of a document, and from the Accept-Language of a call', async () => {
    const gateway = await openGateway({})
    const { headers } = await gateway.get('/?lang=ur')
    expect(headers['content-language']).toBe('ur')
    const foreign = await openGateway({})
    const accepted = { 'accept-language': 'fr-FR, ur-PK;q=0.9, en;q=0.5' }
    const { json } = await foreign.post('/api/auth/request-otp', {}, accepted)
    expect(json.fields).toEqual([{ field: 'phone', message: `⟦${modules.fieldTexts.required?.en}⟧` }])
  })

  it('has the text of an error and of its wait', async () => {
    const gateway = await openGateway()
    const { json } = await gateway.post('/api/auth/request-otp', { phone: '+966501234567' })
    const template = `⟦${modules.errors.CODE_REQUESTED_TOO_SOON.text.en}⟧`
    expect(json.message).toBe(template.replace('{{wait}}', '45 ⟦ur⟧'))
  })

  it('is part of the contract where an answer holds a text in every language', async () => {
    const gateway = await openGateway()
    const { json } = await gateway.get(modules.readConfig.path)
    expect(json.contact).toMatchObject({ address: { ur: `⟦${modules.brand.contact.address.en}⟧` } })
    expect(json.purchase).toMatchObject({ terms: { ur: `⟦${modules.brand.purchase.terms.en}⟧` } })
  })
})
