import { useState } from 'react'
import { HoursOfWeek, SeasonNote } from '#client/entities/location/branch-hours.tsx'
import { MapLink } from '#client/entities/location/location.tsx'
import { usePromises } from '#client/entities/promise/use-promises.ts'
import { formatRoughDistance } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { Announced } from '#client/ui/announced.tsx'
import { Icon, type IconName } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { Picker, type PickerList } from '#client/ui/picker.tsx'
import textStyles from '#client/ui/text.module.css'
import { cityName } from '#shared/platform/city-names.ts'
import styles from './booking.module.css'
import { type BranchRow, listBranches } from './branches.rules.ts'
import { type AnswersProps, Chip } from './choice-picker.tsx'
import { type Place, places } from './places.data.ts'
import type { BranchChoice } from './use-choices.ts'

interface BranchPickerProps extends AnswersProps {
  /** The partner's English name of the city. */
  readonly city: string
  readonly branches: readonly BranchChoice[]
  readonly compare: (a: string, b: string) => number
}

type Row = BranchRow<BranchChoice>

const icons: Readonly<Record<Place['kind'], IconName>> = {
  airport: 'plane',
  station: 'train',
  centre: 'city',
  university: 'university',
}

/** The branches of a city by district, and those near a place that the user names. */
export function BranchPicker({ city, branches, compare, ...picker }: BranchPickerProps) {
  const { t } = useTranslation(['booking', 'purchase'])
  const language = useLanguage()
  const { storageDays } = usePromises()
  const [place, setPlace] = useState<Place>()
  const known = places.filter((each) => each.city === city)
  const nameOf = ({ kind, names: [english, arabic] }: Place) =>
    kind === 'university' ? ((language === 'ar' ? arabic : english) ?? '') : t(`branch.places.${kind}`)

  const titleOf = (each: Place) => t(`branch.near.${each.kind}`, { name: nameOf(each) })

  function find(query: string): PickerList<Row> {
    const isStopped = (value: string) => picker.stoppedBy(value) !== undefined
    const { near, found, districts } = listBranches({
      branches,
      places: known,
      place,
      query,
      isStopped,
      compare,
    })
    const total = t('branch.inCity', {
      branches: t('branches', { count: branches.length }),
      city: cityName(city, language),
    })
    const [only, ...others] = districts
    const all = others.length === 0 ? (only?.rows ?? []) : []
    return {
      groups: [
        ...near.map((each) => ({
          title: titleOf(each.place),
          note: t('branch.nearest'),
          items: each.rows,
        })),
        ...(found.length === 0
          ? []
          : [{ title: near.length === 0 ? undefined : t('branch.found'), items: found }]),
        ...(districts.length === 0
          ? []
          : [{ title: t(others.length === 0 ? 'branch.all' : 'branch.districts'), note: total, items: all }]),
        ...(others.length === 0
          ? []
          : districts.map(({ name = t('branch.others'), rows }) => ({
              title: name,
              note: t('branches', { count: rows.length }),
              items: rows,
              isFolded: true,
            }))),
      ],
      found:
        query === '' ? branches.map(asRow) : withoutRepeats([...near.flatMap(({ rows }) => rows), ...found]),
    }
  }

  return (
    <Picker
      {...picker}
      searchLabel={t(known.length === 0 ? 'search.street' : 'search.centerCode')}
      none={t('branch.none')}
      find={find}
      parts={({ branch, detail, km, label }) => ({
        details: (
          <>
            {detail === undefined ? null : (
              <span className={textStyles.hint}>
                <bdi>{detail}</bdi>
              </span>
            )}
            <HoursOfWeek hours={branch.hours} />
          </>
        ),
        end:
          km === undefined ? undefined : t('branch.about', { distance: formatRoughDistance(km, language) }),
        beside:
          branch.coordinates === null ? undefined : (
            <MapLink
              coordinates={branch.coordinates}
              place={[label, detail].filter((part) => part !== undefined).join(' · ')}
              className={styles.map}
            />
          ),
      })}
      top={
        <>
          {known.length === 0 ? null : (
            <p className={`${layout.line} ${styles.places}`}>
              {known.map((each) => (
                <Chip
                  key={nameOf(each)}
                  isOn={each === place}
                  onPress={() => setPlace(each === place ? undefined : each)}
                >
                  <Icon name={icons[each.kind]} />
                  <span>{nameOf(each)}</span>
                </Chip>
              ))}
            </p>
          )}
          {storageDays === undefined ? null : (
            <p className={`${layout.line} ${layout.gap2} ${styles.kept}`}>
              <Icon name="calendar" />
              <span>{t('purchase:kept', { count: storageDays })}</span>
            </p>
          )}
          <SeasonNote />
          <Announced>{place === undefined ? '' : `${titleOf(place)}, ${t('branch.nearest')}`}</Announced>
        </>
      }
    />
  )
}

const asRow = (branch: BranchChoice): Row => ({
  value: branch.value,
  label: branch.label,
  detail: undefined,
  branch,
})

const withoutRepeats = (rows: readonly Row[]): readonly Row[] => [
  ...new Map(rows.map((row) => [row.value, row])).values(),
]
