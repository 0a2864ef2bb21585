import { brand } from '../../shared/platform/brand.ts'
import { defaultLanguage, languages } from '../../shared/platform/language.ts'

/**
 * The gateway replaces it by PUBLIC_URL, and the others by the preview of the address
 * (shared/platform/link-preview.ts).
 */
const publicUrl = '__PUBLIC_URL__'
const previewTitle = '__PREVIEW_TITLE__'
const previewPicture = '__PREVIEW_PICTURE__'
const nonce = 'nonce="__CSP_NONCE__"'

const fontFaces = /@font-face\{font-family:Cairo Variable;[^}]*\}/g

/** The cut font of each language; texts of other scripts load theirs when they are laid out. */
const preloadedFont = { ar: 'cairo-arabic-cut', en: 'cairo-latin-cut' }

/**
 * A document of the build: `template` (the built index.html) in one language, with a page or its frame, and what
 * that needs: its styles inline, its chunks and one font in parallel with the app's script.
 * `document`: see client/prerender.tsx, and `modules` and `textGroups`, which it loads beside the app. `assets`:
 * Vite's manifest, and `read(file)`, the text of a built file.
 */
export function documentOf(document, template, assets) {
  const { language, role, html, isWhole, worksAlone } = document
  const { direction } = languages[language]
  const chunks = chunksOf(['index.html', ...document.modules], assets.manifest)
  const styles = [...new Set(chunks.flatMap(({ css = [] }) => css))]
  const css = styles.map((file) => assets.read(file)).join('')
  const tags = scripts(document, template, chunks, assets.manifest)
  // Disabled links are not requested, and keep the loader of chunks from requesting these styles.
  const disabled = styles.map((file) => `<link rel="stylesheet" href="/${file}" disabled>`)
  // A page that can be read without the app: on a slow line its web fonts come after the app (before-app.js).
  const isReadFirst = isWhole && !worksAlone
  const head = [
    ...metadata(document),
    ...firstCalls(document),
    ...(isReadFirst ? [] : [fontPreload(language, assets.manifest)]),
    // Before the styles, which would take a round trip.
    ...(worksAlone ? [] : tags),
    `<style ${nonce}>${isReadFirst ? css.replace(fontFaces, '') : css}</style>`,
    ...(isReadFirst
      ? [`<style ${nonce} data-fonts media="not all">${css.match(fontFaces).join('')}</style>`]
      : []),
    ...disabled,
    ...(worksAlone ? tags : []),
  ].join('\n    ')
  return replaced(template, [
    [
      /<html lang="\w+" dir="\w+">/,
      `<html lang="${language}" dir="${direction}"${role === 'visitor' ? '' : ` data-role="${role}"`}>`,
    ],
    ...(worksAlone ? [[/\s*<noscript>.*?<\/noscript>/s, '']] : []),
    [entryTags, ''],
    [/\s*<link rel="stylesheet"[^>]*>/g, ''],
    ['</head>', `  ${head}\n  </head>`],
    [
      '<div id="root"></div>',
      `<div id="served"${worksAlone ? ' data-waits' : isWhole ? '' : ' data-frame'}>${html}</div><div id="root"></div>`,
    ],
  ])
}

const entryTags = /\s*(?:<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>)/g

/** The app's script and chunks: at once when the page needs them, in a template when it works without. */
function scripts({ page, worksAlone, language, textGroups }, template, chunks, manifest) {
  const tags = template.match(entryTags).map((tag) => tag.trim())
  const more = [...chunks, ...textGroups.map((group) => textsOf(group, language, manifest))]
    .map(({ file }) => `/${file}`)
    .filter((file) => file.endsWith('.js') && !tags.some((tag) => tag.includes(`"${file}"`)))
    .map((file) => `<link rel="modulepreload" crossorigin href="${file}" ${nonce}>`)
  const all = [...tags, ...more]
  const behindFonts = all.map((tag) => tag.replace(' crossorigin', ' fetchpriority="low" crossorigin'))
  const built = (name) => {
    const { file } = manifest[name] ?? {}
    if (file === undefined) throw new Error(`the build has no ${name}`)
    return file
  }
  // Not after the app, which it precedes.
  if (!worksAlone) {
    const first = built(page === 'order' ? 'before-app-order.js' : 'before-app.js')
    return [`<script type="module" async src="/${first}"></script>`, ...behindFonts]
  }
  return [
    `<template data-app>${behindFonts.join('')}</template>`,
    ...['before-app.js', 'documents/main.ts'].map(
      (name) => `<script type="module" fetchpriority="low" src="/${built(name)}"></script>`,
    ),
  ]
}

/** The calls of before-app.js to the gateway, on pages that wait for the app. */
const firstCalls = ({ firstCalls: hrefs }) =>
  hrefs.length === 0 ? [] : [`<meta name="first-calls" content="${escaped(hrefs.join(' '))}">`]

function metadata({ page, path, language, title }) {
  const description = escaped(brand.description[language])
  const common = [
    `<title>${escaped(title)}</title>`,
    `<meta name="description" content="${description}">`,
    `<meta property="og:site_name" content="${escaped(brand.name[language])}">`,
    `<meta property="og:title" content="${page === 'track' ? previewTitle : escaped(title)}">`,
    `<meta property="og:description" content="${description}">`,
    '<meta property="og:type" content="website">',
    `<meta property="og:locale" content="${ogLocales[language]}">`,
    `<meta property="og:image" content="${publicUrl}${previewPicture}">`,
    `<meta property="og:image:alt" content="${previewTitle}">`,
    '<meta property="og:image:width" content="1200">',
    '<meta property="og:image:height" content="630">',
    '<meta name="twitter:card" content="summary_large_image">',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
    `<link rel="manifest" href="/manifest.${language}.webmanifest">`,
  ]
  // Pages behind the sign-in, and addresses that do not exist.
  if (path === undefined) return [...common, '<meta name="robots" content="noindex">']
  const addressIn = (code) => publicUrl + path + (code === defaultLanguage ? '' : `?lang=${code}`)
  return [
    ...common,
    `<meta property="og:url" content="${addressIn(language)}">`,
    `<link rel="canonical" href="${addressIn(language)}">`,
    ...Object.keys(languages).map(
      (code) => `<link rel="alternate" hreflang="${code}" href="${addressIn(code)}">`,
    ),
    `<link rel="alternate" hreflang="x-default" href="${publicUrl}${path}">`,
  ]
}

const ogLocales = { ar: 'ar_SA', en: 'en_US' }

function fontPreload(language, manifest) {
  const font = Object.values(manifest).find(({ file }) => file.includes(preloadedFont[language]))
  if (font === undefined) throw new Error(`the build has no font for ${language}`)
  return `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font.file}">`
}

function textsOf(group, language, manifest) {
  const texts = Object.values(manifest).find(({ file }) => file.includes(`/texts-${group}-${language}-`))
  if (texts === undefined) throw new Error(`the build has no texts of ${group} in ${language}`)
  return texts
}

function chunksOf(modules, manifest) {
  const found = new Set()
  const chunks = []
  const add = (key) => {
    if (found.has(key)) return
    const chunk = manifest[key]
    if (chunk === undefined) throw new Error(`the build has no chunk for ${key}`)
    found.add(key)
    for (const next of chunk.imports ?? []) add(next)
    chunks.push(chunk)
  }
  for (const module of modules) add(module)
  return chunks
}

/** Functions as replacements, because `$` in a string is special. */
function replaced(text, changes) {
  return changes.reduce((before, [from, to]) => {
    if (before.search(from) < 0) throw new Error(`index.html does not contain ${from}`)
    return before.replace(from, () => to)
  }, text)
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
