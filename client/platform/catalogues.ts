/** A catalogue, `<namespace>.<language>.json`. */
export interface Texts {
  readonly [key: string]: string | Texts
}

export type Catalogues = Readonly<Record<string, () => Promise<Texts>>>

/**
 * `<namespace>.<language>.json` of the app, by path. The build makes a file of each group (chunk-groups.ts). The desk
 * has texts of its own (desk/texts.ts): its build replaces this file with desk/no-catalogues.ts.
 */
export const catalogues: Catalogues = import.meta.glob<Texts>(['../**/*.*.json', '!../desk/**'], {
  import: 'default',
})
