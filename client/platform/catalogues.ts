/** A catalogue, `<namespace>.<language>.json`. */
export interface Texts {
  readonly [key: string]: string | Texts
}

export type Catalogues = Readonly<Record<string, () => Promise<Texts>>>

/**
 * `<namespace>.<language>.json` of the app, by path. The build makes a file of each group (chunk-groups.ts). That of the
 * desk, which brings its own (desk/texts.ts), has desk/no-catalogues.ts in place of this file.
 */
export const catalogues: Catalogues = import.meta.glob<Texts>(['../**/*.*.json', '!../desk/**'], {
  import: 'default',
})
