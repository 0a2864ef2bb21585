import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { OpeningLine, useHoursNow } from '#client/entities/location/branch-hours.tsx'
import { CityBlock } from '#client/entities/location/city-block.tsx'
import { formatDistance } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import buttonStyles from '#client/ui/button.module.css'
import { Button } from '#client/ui/button.tsx'
import { PhoneText } from '#client/ui/contact-text.tsx'
import fieldStyles from '#client/ui/field.module.css'
import { Icon } from '#client/ui/icon.tsx'
import { Overlay } from '#client/ui/overlay.tsx'
import textStyles from '#client/ui/text.module.css'
import { type Opening, openingOf } from '#shared/partner/hours.rules.ts'
import type { BranchHours } from '#shared/partner/partner.schemas.ts'
import { matchesSearch } from '#shared/platform/search.ts'
import styles from './choice-sheet.module.css'
import { byDistance, type Position } from './nearest.rules.ts'
import type { OwnPosition, PositionState } from './use-position.ts'

export interface Choice {
  readonly value: string
  readonly label: string
  /** Further lines in the list, below the label. */
  readonly details?: readonly string[]
  readonly phone?: string
  /** Further texts the search matches. */
  readonly alsoFoundBy?: readonly string[]
  /** Of a city: its English name, for its letters and colour. */
  readonly city?: string
  /** Of a city: how many branches it has. */
  readonly branchCount?: number
  /** Of an agent: the place whose chip shows only those there. */
  readonly area?: string
  /** Listed first, under a heading of its own. */
  readonly isPopular?: boolean
  readonly coordinates?: Position | null
  /** Of a branch. */
  readonly hours?: BranchHours | undefined
}

interface ChoiceSheetProps {
  readonly title: string
  readonly searchLabel: string
  readonly openerId: string
  readonly choices: readonly Choice[]
  readonly value: string | null
  /** Why a choice cannot be made, in words; undefined for one that can. */
  readonly stoppedBy: (value: string) => string | undefined
  /** Undefined where nearness says nothing: cities, and branches, which are far from where a bag is booked. */
  readonly ownPosition: OwnPosition | undefined
  readonly onChoose: (value: string) => void
  readonly onClose: () => void
}

/** All choices of a question, with a search. A tap chooses; keys pick a row, and Enter or the button chooses it. */
export function ChoiceSheet(props: ChoiceSheetProps) {
  const { choices, stoppedBy, ownPosition, onChoose } = props
  const { t } = useTranslation('booking')
  const [query, setQuery] = useState('')
  const [picked, setPicked] = useState(props.value)
  const [isByKey, setIsByKey] = useState(false)
  // Once allowed, it is not asked for again.
  const [isNearest, setIsNearest] = useState(ownPosition?.state.kind === 'known')
  const areas = areasOf(choices)
  const [area, setArea] = useState<string | null>(null)
  const inArea = area === null ? choices : choices.filter((choice) => choice.area === area)
  const found = query === '' ? inArea : inArea.filter((choice) => isFound(choice, query))
  const position = ownPosition?.state.kind === 'known' && isNearest ? ownPosition.state.position : undefined
  // A single find is what Enter chooses.
  const pick = choices.find(({ value }) => value === picked) ?? (found.length === 1 ? found[0] : undefined)
  const candidate = pick && stoppedBy(pick.value) === undefined ? pick : undefined
  // A tap needs no button.
  const hasButton = candidate !== undefined && (isByKey || candidate.value !== picked)
  const choose = () => {
    if (candidate !== undefined) onChoose(candidate.value)
  }

  return (
    <Overlay
      kind="sheet"
      title={props.title}
      returnTo={() => document.getElementById(props.openerId)}
      onClose={props.onClose}
      top={
        <>
          <SearchField
            label={props.searchLabel}
            query={query}
            onEnter={choose}
            onChange={(next) => {
              setQuery(next)
              // What is picked stays visible, or is picked no more.
              if (next !== '' && picked !== null)
                setPicked((before) =>
                  choices.some((choice) => choice.value === before && isFound(choice, next)) ? before : null,
                )
            }}
          />
          <p className={styles.chips}>
            {areas.map((name) => (
              <Chip key={name} isOn={area === name} onPress={() => setArea(area === name ? null : name)}>
                {name}
              </Chip>
            ))}
            {ownPosition?.isOffered ? (
              <NearestChip ownPosition={ownPosition} isNearest={isNearest} onChange={setIsNearest} />
            ) : null}
          </p>
          <SheetNotes
            found={query === '' ? undefined : found.length}
            position={isNearest ? ownPosition?.state : undefined}
          />
        </>
      }
      bottom={
        hasButton ? (
          <Button look="primary" isWide onClick={choose}>
            {t('sheet.choose', { name: candidate.label })}
          </Button>
        ) : null
      }
    >
      <ChoiceRows
        label={props.title}
        found={found}
        position={position}
        isGrouped={query === '' && position === undefined}
        picked={candidate?.value ?? null}
        stoppedBy={stoppedBy}
        onPick={(value) => {
          setIsByKey(true)
          setPicked(value)
        }}
        onChoose={onChoose}
        onEnter={choose}
      />
    </Overlay>
  )
}

/** Where there are several, in the order of the list. */
function areasOf(choices: readonly Choice[]): readonly string[] {
  const areas = [...new Set(choices.map(({ area }) => area))].filter((area) => area !== undefined)
  return areas.length > 1 ? areas : []
}

function isFound(choice: Choice, query: string): boolean {
  return matchesSearch(query, [
    choice.label,
    choice.phone,
    ...(choice.details ?? []),
    ...(choice.alsoFoundBy ?? []),
  ])
}

interface SearchFieldProps {
  readonly label: string
  readonly query: string
  readonly onChange: (query: string) => void
  readonly onEnter: () => void
}

function SearchField({ label, query, onChange, onEnter }: SearchFieldProps) {
  const moveToList = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      onEnter()
    }
    if (event.key !== 'ArrowDown') return
    const rows = event.currentTarget
      .closest('dialog')
      ?.querySelectorAll<HTMLElement>('[type="radio"]:enabled')
    const row = [...(rows ?? [])].find((each) => each.matches(':checked')) ?? rows?.[0]
    if (row === undefined) return
    event.preventDefault()
    row.focus()
    row.click()
  }
  return (
    <label className={`${fieldStyles.input} ${fieldStyles.search} ${styles.search}`}>
      <Icon name="search" />
      <input
        type="search"
        data-unringed
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        enterKeyHint="search"
        value={query}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={moveToList}
      />
    </label>
  )
}

interface ChipProps {
  readonly isOn: boolean
  readonly onPress: () => void
  readonly children: ReactNode
}

const Chip = ({ isOn, onPress, children }: ChipProps) => (
  <button type="button" className={buttonStyles.chip} aria-pressed={isOn} onClick={onPress}>
    {children}
  </button>
)

interface NearestChipProps {
  readonly ownPosition: OwnPosition
  readonly isNearest: boolean
  readonly onChange: (isNearest: boolean) => void
}

/** Lists the nearest first, as soon as the position is known. */
function NearestChip({ ownPosition: { state, ask }, isNearest, onChange }: NearestChipProps) {
  const { t } = useTranslation('booking')
  const isOn = state.kind === 'known' && isNearest
  const press = () => {
    onChange(!isOn)
    if (state.kind !== 'known') ask()
  }
  return (
    <Chip isOn={isOn} onPress={press}>
      <Icon name="pin" />
      {t('nearest.label')}
    </Chip>
  )
}

interface SheetNotesProps {
  /** How many the search found; undefined without a search. */
  readonly found: number | undefined
  /** Undefined unless the nearest are asked for. */
  readonly position: PositionState | undefined
}

/** What the search found, and what became of the question for the position; announced. */
function SheetNotes({ found, position }: SheetNotesProps) {
  const { t } = useTranslation('booking')
  const kind = position?.kind ?? 'not-asked'
  return (
    <>
      <p role="status" className={found === 0 ? textStyles.hint : 'visually-hidden'}>
        {found === undefined ? '' : found === 0 ? t('noMatch') : t('sheet.found', { count: found })}
      </p>
      <p role="status" className={kind === 'not-asked' ? 'visually-hidden' : textStyles.hint}>
        {kind === 'not-asked' ? '' : t(`nearest.${kind}`)}
      </p>
    </>
  )
}

interface ChoiceRowsProps {
  readonly label: string
  readonly found: readonly Choice[]
  readonly position: Position | undefined
  readonly isGrouped: boolean
  readonly picked: string | null
  readonly stoppedBy: (value: string) => string | undefined
  readonly onPick: (value: string) => void
  readonly onChoose: (value: string) => void
  readonly onEnter: () => void
}

function ChoiceRows(props: ChoiceRowsProps) {
  const { label, found, position, isGrouped, picked, stoppedBy, onPick, onChoose, onEnter } = props
  const { t } = useTranslation('booking')
  const name = useId()
  const list = useRef<HTMLDivElement>(null)
  // What was chosen before is in view from the start. The method is missing in jsdom.
  useEffect(
    () => list.current?.querySelector(':checked')?.closest('label')?.scrollIntoView?.({ block: 'center' }),
    [],
  )
  const now = useHoursNow()
  const row = (choice: Choice, km?: number) => (
    <ChoiceRow
      key={choice.value}
      choice={choice}
      km={km}
      opening={openingOf(choice.hours, now)}
      group={name}
      isPicked={choice.value === picked}
      stopped={stoppedBy(choice.value)}
      onPick={() => onPick(choice.value)}
      onChoose={() => onChoose(choice.value)}
    />
  )
  const popular = isGrouped
    ? found
        .filter(({ isPopular }) => isPopular === true)
        .sort((a, b) => (b.branchCount ?? 0) - (a.branchCount ?? 0))
    : []
  const others = isGrouped ? found.filter(({ isPopular }) => isPopular !== true) : found
  return (
    <div
      ref={list}
      role="radiogroup"
      aria-label={label}
      aria-required="true"
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        onEnter()
      }}
    >
      {popular.length > 0 ? (
        <>
          <h3 className={styles.group}>{t('sheet.popular')}</h3>
          {popular.map((choice) => row(choice))}
          <h3 className={styles.group}>{t('sheet.others')}</h3>
        </>
      ) : null}
      {byDistance(others, position).map(({ place, km }) => row(place, km))}
    </div>
  )
}

interface ChoiceRowProps {
  readonly choice: Choice
  readonly km: number | undefined
  readonly opening: Opening | undefined
  readonly group: string
  readonly isPicked: boolean
  readonly stopped: string | undefined
  readonly onPick: () => void
  readonly onChoose: () => void
}

function ChoiceRow(props: ChoiceRowProps) {
  const { choice, km, opening, group, isPicked, stopped, onPick, onChoose } = props
  const { t } = useTranslation('booking')
  const language = useLanguage()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys pick by the radio button, and Enter chooses the picked one. Its arrow keys make clicks, too, of detail 0.
    <label
      className={styles.row}
      onClick={({ detail }) => {
        if (detail > 0 && stopped === undefined) onChoose()
      }}
    >
      <input
        type="radio"
        className={styles.radio}
        data-unringed
        name={group}
        value={choice.value}
        checked={isPicked}
        disabled={stopped !== undefined}
        onChange={onPick}
      />
      <CityBlock city={choice.city} />
      <span className={styles.rowText}>
        <span className={styles.rowName}>
          <bdi>{choice.label}</bdi>
        </span>
        {stopped === undefined ? null : <span className={styles.rowStopped}>{stopped}</span>}
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
        {/* That hours are not known is told of the chosen branch, not of each. */}
        {opening?.state === 'unsure' ? null : <OpeningLine opening={opening} />}
      </span>
      {km === undefined ? null : <bdi className={styles.rowDistance}>{formatDistance(km, language)}</bdi>}
    </label>
  )
}
