import { type ReactNode, useState } from 'react'
import { CityBlock } from '#client/entities/location/city-block.tsx'
import { formatDistance } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import buttonStyles from '#client/ui/button.module.css'
import { PhoneText } from '#client/ui/contact-text.tsx'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { Picker, plainList } from '#client/ui/picker.tsx'
import textStyles from '#client/ui/text.module.css'
import { cityCode } from '#shared/platform/city-codes.ts'
import { matchesSearch } from '#shared/platform/search.ts'
import styles from './booking.module.css'
import { byDistance, type Position } from './nearest.rules.ts'
import type { OwnPosition } from './use-position.ts'

export interface Choice {
  readonly value: string
  readonly label: string
  /** Further lines in the list, below the label. */
  readonly details?: readonly string[]
  readonly phone?: string
  /** Further texts that the search matches. */
  readonly alsoFoundBy?: readonly string[]
  /** The English name of a city, which decides its letters and colour. */
  readonly city?: string
  /** The number of branches in a city. */
  readonly branchCount?: number
  /** The place of an agent. A chip filters the list by place. */
  readonly area?: string
  /** Listed first, under a heading of its own. */
  readonly isPopular?: boolean
  readonly coordinates?: Position | null
}

/** The list of answers to a question. */
export interface AnswersProps {
  readonly title: string
  readonly value: string | null
  /** The reason why a choice cannot be booked; `undefined` when it can. */
  readonly stoppedBy: (value: string) => string | undefined
  readonly returnTo: () => HTMLElement | null
  readonly onChoose: (value: string) => void
  readonly onClose: () => void
}

interface ChoicePickerProps extends AnswersProps {
  readonly searchLabel: string
  readonly choices: readonly Choice[]
  /** `undefined` for lists that are not sorted by distance: of cities. */
  readonly ownPosition?: OwnPosition | undefined
}

/** All agents or cities. A chip shows the choices of one place, and the user can sort them by distance. */
export function ChoicePicker({ choices, ownPosition, ...picker }: ChoicePickerProps) {
  const { t } = useTranslation('booking')
  const language = useLanguage()
  // Once the user has allowed the position, the page does not ask again.
  const [isNearest, setIsNearest] = useState(ownPosition?.state.kind === 'known')
  const [area, setArea] = useState<string | null>(null)
  const areas = [...new Set(choices.map((choice) => choice.area))].filter((name) => name !== undefined)
  const hasAreas = areas.length > 1
  const inArea = area === null ? choices : choices.filter((choice) => choice.area === area)
  const state = ownPosition?.state
  const position = state?.kind === 'known' && isNearest ? state.position : undefined
  const places = byDistance(inArea, position)
  const kmTo = new Map(places.map(({ place, km }) => [place, km]))
  const popular = choices
    .filter(({ isPopular }) => isPopular === true)
    .sort((a, b) => (b.branchCount ?? 0) - (a.branchCount ?? 0))
  const others = choices.filter(({ isPopular }) => isPopular !== true)
  const positionKind = isNearest && state !== undefined ? state.kind : 'not-asked'
  return (
    <Picker
      {...picker}
      find={(query) => {
        const all = places.map(({ place }) => place)
        if (query !== '') return plainList(all.filter((choice) => isFound(choice, query)))
        if (popular.length === 0) return plainList(all)
        const groups = [
          { title: t('popular'), items: popular },
          { title: t('others'), items: others },
        ]
        return { groups, found: all }
      }}
      parts={(choice) => {
        const km = kmTo.get(choice)
        return {
          start: <CityStart city={choice.city} />,
          details: <Details choice={choice} />,
          end: km === undefined ? undefined : formatDistance(km, language),
        }
      }}
      top={
        <>
          {hasAreas || ownPosition?.isOffered ? (
            <p className={`${layout.cluster} ${layout.gap2}`}>
              {hasAreas
                ? areas.map((name) => (
                    <Chip
                      key={name}
                      isOn={area === name}
                      onPress={() => setArea(area === name ? null : name)}
                    >
                      {name}
                    </Chip>
                  ))
                : null}
              {ownPosition?.isOffered ? (
                <Chip
                  isOn={position !== undefined}
                  onPress={() => {
                    setIsNearest(position === undefined)
                    if (ownPosition.state.kind !== 'known') ownPosition.ask()
                  }}
                >
                  <Icon name="pin" />
                  {t('nearest.label')}
                </Chip>
              ) : null}
            </p>
          ) : null}
          <p role="status" className={positionKind === 'not-asked' ? 'visually-hidden' : textStyles.hint}>
            {positionKind === 'not-asked' ? '' : t(`nearest.${positionKind}`)}
          </p>
        </>
      }
    />
  )
}

/** The letters of a city. A city without letters leaves their place empty, so that all names begin at one edge. */
function CityStart({ city }: { readonly city: string | undefined }) {
  if (city === undefined) return null
  return cityCode(city) === undefined ? <span className={styles.noLetters} /> : <CityBlock city={city} />
}

function isFound({ label, phone, details = [], alsoFoundBy = [] }: Choice, query: string): boolean {
  return matchesSearch(query, [label, phone, ...details, ...alsoFoundBy])
}

interface ChipProps {
  readonly isOn: boolean
  readonly onPress: () => void
  readonly children: ReactNode
}

export const Chip = ({ isOn, onPress, children }: ChipProps) => (
  <button type="button" className={buttonStyles.chip} aria-pressed={isOn} onClick={onPress}>
    {children}
  </button>
)

function Details({ choice }: { readonly choice: Choice }) {
  const { t } = useTranslation('booking')
  return (
    <>
      {choice.details?.map((detail) => (
        <span key={detail} className={textStyles.hint}>
          <bdi>{detail}</bdi>
        </span>
      ))}
      {choice.phone === undefined ? null : (
        <span className={textStyles.hint}>
          <PhoneText>{choice.phone}</PhoneText>
        </span>
      )}
      {choice.branchCount === undefined ? null : (
        <span className={textStyles.hint}>{t('branches', { count: choice.branchCount })}</span>
      )}
    </>
  )
}
