import { foldForSearch, matchesSearch } from '#shared/platform/search.ts'
import { byDistance, type Position } from './nearest.rules.ts'
import type { Place } from './places.data.ts'

/** The parts of a branch's address, which the partner sends as one line. */
export interface AddressParts {
  /** Undefined when the address names no district. */
  readonly district: string | undefined
  readonly street: string
  /** The shop, a landmark. */
  readonly rest: string | undefined
}

const hasNumber = /\d/
const comma = /\s*[,،]\s*/
/** A dash without a space on either side belongs to a name: Al-Olaya. */
const dash = /\s+[-–—]\s*|\s*[-–—]\s+/
const namedDistrict = [/^حي\s+(.+)$/u, /^(.+?)\s+(?:dist\.?|district)$/iu, /^(?:dist\.?|district)\s+(.+)$/iu]
const street = /(?:^|\s)(?:شارع|طريق|st\.?|street|rd\.?|road|ave\.?|avenue)(?:\s|$)/iu

/** Reads «حي العليا - شارع النخلة، محل 3» and “Al Olaya Dist. - Date Palm St., shop 3”. */
export function addressParts(address: string): AddressParts {
  const parts = address.split(comma).flatMap((part) => part.split(dash))
  const named = parts.map((part) =>
    namedDistrict.map((form) => form.exec(part)?.[1]).find((name) => name !== undefined),
  )
  const at = named.findIndex((name) => name !== undefined)
  // “Malaz - Al Ahsa St.” names its district without the word.
  const [before = '', after] = address.split(dash)
  const isUnnamed = at < 0 && after !== undefined && !street.test(before) && street.test(after)
  const district = at >= 0 ? named[at] : isUnnamed ? before.trim() : undefined
  const others = parts.filter((_, index) => index !== (isUnnamed ? 0 : at))
  const [first = address, ...rest] = others
  return { district, street: first, rest: rest.length === 0 ? undefined : joined(rest) }
}

const joined = (parts: readonly (string | undefined)[]): string => {
  const texts = parts.filter((part) => part !== undefined && part !== '')
  return texts.join(/\p{Script=Arabic}/u.test(texts.join('')) ? '، ' : ', ')
}

export interface Branch {
  readonly value: string
  /** The address in the language on screen. */
  readonly label: string
  readonly address: AddressParts
  readonly alsoFoundBy: readonly string[]
  readonly coordinates: Position | null
}

/** A branch as a row of the list. */
export interface BranchRow<B extends Branch> {
  readonly value: string
  readonly label: string
  /** The second line. */
  readonly detail: string | undefined
  readonly branch: B
  /** The distance from the place that the list is about. */
  readonly km?: number | undefined
}

export interface BranchList<B extends Branch> {
  /** The branches nearest to each place that was chosen or found. */
  readonly near: readonly { readonly place: Place; readonly rows: readonly BranchRow<B>[] }[]
  /** The branches whose addresses were found; the nearest to the chosen place first. */
  readonly found: readonly BranchRow<B>[]
  /** All branches, while nothing is searched for and when nothing is found. The branches without a district come last. */
  readonly districts: readonly { readonly name: string | undefined; readonly rows: readonly BranchRow<B>[] }[]
}

interface BranchQuery<B extends Branch> {
  /** The branches of a city, sorted by address. */
  readonly branches: readonly B[]
  /** The places of that city. */
  readonly places: readonly Place[]
  /** The place that was chosen. */
  readonly place: Place | undefined
  readonly query: string
  readonly isStopped: (value: string) => boolean
  readonly compare: (a: string, b: string) => number
}

const nearestCount = 5
/** So few branches fit the screen without districts. */
const flatCount = 6

/** A place is found by its name, a branch by district, street, shop and code. A place that is not known leads to all districts. */
export function listBranches<B extends Branch>(asked: BranchQuery<B>): BranchList<B> {
  const { branches, places, place, query, compare } = asked
  const isSearched = foldForSearch(query) !== ''
  const about = isSearched ? placesFound(query, places) : place === undefined ? [] : [place]
  const near = about
    .map((each) => ({ place: each, rows: nearestTo(each, asked) }))
    .filter(({ rows }) => rows.length > 0)
  const matching = isSearched
    ? branches.filter(({ label, alsoFoundBy }) => matchesSearch(query, [label, ...alsoFoundBy]))
    : []
  const found = byDistance(matching, place?.at).map(({ place: branch, km }) => rowOf(branch, km))
  const isFound = isSearched && near.length + found.length > 0
  return { near, found, districts: isFound ? [] : districtsOf(branches, compare) }
}

function nearestTo<B extends Branch>(place: Place, { branches, isStopped }: BranchQuery<B>) {
  return byDistance(
    branches.filter(({ value, coordinates }) => coordinates !== null && !isStopped(value)),
    place.at,
  )
    .slice(0, nearestCount)
    .map(({ place: branch, km }) => rowOf(branch, km))
}

/**
 * The district stands first. In a list of that district the street stands first, with the number of the building or shop, because
 * many branches of a district may share a street; the district is in the heading of the list.
 */
function rowOf<B extends Branch>(branch: B, km?: number, isInDistrict = false): BranchRow<B> {
  const { value, label, address } = branch
  const { district, street: way, rest } = address
  if (district === undefined || way === label) return { value, label, detail: undefined, branch, km }
  if (!isInDistrict) return { value, label: district, detail: joined([way, rest]), branch, km }
  const parts = rest?.split(comma) ?? []
  const others = parts.filter((part) => !hasNumber.test(part))
  return {
    value,
    label: joined([way, ...parts.filter((part) => hasNumber.test(part))]),
    detail: others.length === 0 ? undefined : joined(others),
    branch,
    km,
  }
}

function districtsOf<B extends Branch>(branches: readonly B[], compare: (a: string, b: string) => number) {
  // One district may be spelled in two ways: Al-Olaya, Al Olaya.
  const byName = new Map<string, B[]>()
  for (const branch of branches) {
    const name = foldForSearch(branch.address.district ?? '')
    byName.set(name, [...(byName.get(name) ?? []), branch])
  }
  const isMostlyNamed = 2 * (byName.get('')?.length ?? 0) <= branches.length
  if (branches.length <= flatCount || byName.size < 2 || !isMostlyNamed)
    return [{ name: undefined, rows: branches.map((branch) => rowOf(branch)) }]
  const groups = [...byName.values()].map((group) => ({
    name: group[0]?.address.district,
    rows: group.map((branch) => rowOf(branch, undefined, true)),
  }))
  return groups.sort((a, b) =>
    a.name === undefined || b.name === undefined
      ? Number(a.name === undefined) - Number(b.name === undefined)
      : compare(a.name, b.name),
  )
}

/** Words around a name: near the airport, قرب المطار. */
const fillers: ReadonlySet<string> = new Set(
  [
    'near',
    'the',
    'to',
    'of',
    'by',
    'close',
    'at',
    'in',
    'قرب',
    'قريب',
    'بالقرب',
    'بجوار',
    'جنب',
    'عند',
    'من',
    'في',
  ].map(foldForSearch),
)

/** Fewer letters would find every place. */
const fewestLetters = 3

function placesFound(query: string, places: readonly Place[]): readonly Place[] {
  const words = foldForSearch(query)
    .split(' ')
    .filter((word) => !fillers.has(word))
    .join(' ')
  return words.length < fewestLetters
    ? []
    : places.filter(({ kind, names }) => matchesSearch(words, [...kindNames[kind], ...names]))
}

/** Words that people use for a place of this kind. */
const kindNames: Readonly<Record<Place['kind'], readonly string[]>> = {
  airport: ['airport', 'المطار'],
  station: ['railway station', 'train station', 'محطة القطار', 'سكة الحديد'],
  centre: ['city centre', 'city center', 'downtown', 'وسط المدينة', 'وسط البلد', 'مركز المدينة'],
  university: ['university', 'campus', 'الجامعة'],
}
