import { type ReactNode, useEffect, useState } from 'react'
import { CityBlock } from '#client/entities/location/city-block.tsx'
import { useLanguage } from '#client/platform/i18n.ts'
import { mayMove } from '#client/platform/motion.ts'
import tagStyles from '#client/ui/tag.module.css'
import { Eyelet } from '#client/ui/tag-ear.tsx'
import textStyles from '#client/ui/text.module.css'
import { cityName } from '#shared/platform/city-names.ts'
import { Pass } from './pass.tsx'
import { SmallTag } from './side-tag.tsx'
import styles from './tag.module.css'
import { isTagOver, type TagState } from './tag.rules.ts'

interface TagProps {
  readonly state: TagState
  /** What it was before it changed on this page: the change is then drawn. */
  readonly before?: TagState | undefined
  /** At the reading edge of the ear: the order number. */
  readonly start?: ReactNode
  /** At its other edge: the weight limit. */
  readonly end?: ReactNode
  /** Of the destination, in English as the partner names it. */
  readonly city: string | undefined
  readonly branch?: ReactNode
  /** `PassFact`s. */
  readonly facts?: ReactNode
  /** On the stub: the barcode, or what stands in its place. */
  readonly code?: ReactNode
  /** What falls with the stub; not to be read again. */
  readonly falling?: ReactNode
  /** Beside the city of a tag that no bag travels on yet, or any more. */
  readonly badge?: ReactNode
  /** Of the back. */
  readonly back?: ReactNode
  /** The thread of the page comes through the eyelet and goes on below. */
  readonly isHanging?: boolean
}

/** The tag of a bag, in the state of its life. */
export function Tag(props: TagProps) {
  const { state, back } = props
  switch (state) {
    case 'tied':
    case 'torn':
    case 'here':
      return <WholeTag {...props} />
    case 'travelling':
    case 'delayed':
      return <SmallTag {...props} />
    case 'collected':
      return back
    default:
      return <Slip {...props} />
  }
}

/** What a tag was before its state changed while the page is open; undefined for the state that the page began with. */
export function useBefore(state: TagState): TagState | undefined {
  const [seen, setSeen] = useState<{ readonly state: TagState; readonly before?: TagState }>({ state })
  if (seen.state !== state) setSeen({ state, before: seen.state })
  return seen.state === state ? seen.before : seen.state
}

function WholeTag({ state, before, code, falling, start, end, city, branch, facts }: TagProps) {
  const language = useLanguage()
  const isTearing = state === 'torn' && before === 'tied'
  return (
    <>
      <Pass
        {...{ start, end, city, branch, facts }}
        cityName={city && cityName(city, language)}
        edge={state === 'torn' ? 'torn' : state === 'here' ? 'sewn' : 'perforation'}
        isNew={before !== undefined}
      >
        {code}
      </Pass>
      {isTearing && falling ? <FallingStub>{falling}</FallingStub> : null}
    </>
  )
}

const vibrationMs = 60

/** The stub that tears off, and is gone then. */
function FallingStub({ children }: { readonly children: ReactNode }) {
  const [isThere, setIsThere] = useState(mayMove)
  useEffect(() => {
    // Without a press on the page browsers refuse, and write it to the console.
    if (mayMove() && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(vibrationMs)
  }, [])
  if (!isThere) return null
  return (
    <div className={styles.stub} aria-hidden="true" onAnimationEnd={() => setIsThere(false)} data-screen>
      <div className={styles.stubEdge} />
      {children}
    </div>
  )
}

/** An order without an airway bill to show. */
function Slip({ state, city, start, badge }: TagProps) {
  const language = useLanguage()
  const isOver = isTagOver(state)
  return (
    <div className={`${tagStyles.lying} ${styles.slip}`}>
      <Eyelet isOver={isOver} className={styles.slipEyelet} />
      <CityBlock city={city} isOver={isOver} />
      <div className={styles.slipText}>
        <div className={styles.slipLine}>
          {city === undefined ? null : <strong>{cityName(city, language)}</strong>}
          {badge}
        </div>
        <span className={textStyles.quiet}>{start}</span>
      </div>
    </div>
  )
}
