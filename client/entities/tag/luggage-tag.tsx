import { type ReactNode, useEffect, useState } from 'react'
import { cityClass } from '#client/entities/location/city-block.tsx'
import { mayMove } from '#client/platform/motion.ts'
import { classes } from '#client/ui/classes.ts'
import shapeStyles from '#client/ui/tag.module.css'
import styles from './luggage-tag.module.css'

interface LuggageTagProps {
  /**
   * Default: `whole`, upright. The others lie on their side: `small` has ear and band, `strip` is a thin one with a stub, and
   * `stub` is a row of a list, its ear in the colour of the city.
   */
  readonly shape?: 'whole' | 'small' | 'strip' | 'stub'
  /**
   * `torn`: the stub is with the agent. `collected`: turned over. `over`: no bag travels on it. `loading`: an outline.
   * Default: whole, or blank.
   */
  readonly state?: 'torn' | 'collected' | 'over' | 'loading' | undefined
  /** In English, as the partner names it: sets the colour. */
  readonly city?: string | undefined
  /** Content of the ear besides its eyelet; a whole tag shows one element at each side. */
  readonly ear?: ReactNode
  /** On the colour of the city: usually a `CityBand`. */
  readonly band?: ReactNode
  /** Below the band: `TagFact`s of a whole tag, all content of a `stub`. */
  readonly facts?: ReactNode
  /** Below the perforation: the barcode, or a text in its place; the price of a `strip`. Hidden on a torn tag. */
  readonly stub?: ReactNode
  /** The state began while the page is open: its change is animated. */
  readonly isNew?: boolean
}

/** A bag, drawn as a luggage tag. It is as wide as its place, up to 440 px; its letters grow with its band. */
export function LuggageTag(props: LuggageTagProps) {
  const { shape = 'whole', state, city, ear, band, facts, stub, isNew = false } = props
  const isWhole = shape === 'whole'
  const isTorn = state === 'torn'
  const Facts = isWhole ? 'dl' : 'div'
  return (
    <div
      className={classes(styles.tag, cityClass(city), isNew && styles.isNew)}
      data-shape={shape}
      data-state={state}
      data-loading={state === 'loading' || undefined}
      aria-hidden={state === 'loading' || undefined}
    >
      <div
        className={classes(styles.ear, isWhole ? shapeStyles.upright : shapeStyles.lying)}
        data-screen={!isWhole || undefined}
      >
        <i className={styles.eyelet} aria-hidden="true" data-screen />
        {ear}
      </div>
      {shape === 'stub' ? null : <div className={styles.band}>{band}</div>}
      {facts ? <Facts className={styles.facts}>{facts}</Facts> : null}
      {isWhole && (isTorn || stub) ? <div className={styles.edge} data-screen /> : null}
      {!stub ? null : !isTorn ? (
        <div className={styles.stub}>{stub}</div>
      ) : isNew ? (
        <FallingStub>{stub}</FallingStub>
      ) : null}
    </div>
  )
}

const vibrationMs = 60

/** Falls off, and is removed then. It is not read, and takes no presses. */
function FallingStub({ children }: { readonly children: ReactNode }) {
  const [isThere, setIsThere] = useState(mayMove)
  useEffect(() => {
    // Without a press on the page browsers refuse, and write it to the console.
    if (mayMove() && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(vibrationMs)
  }, [])
  if (!isThere) return null
  return (
    <div
      className={styles.stub}
      aria-hidden="true"
      inert
      onAnimationEnd={() => setIsThere(false)}
      data-screen
    >
      {children}
    </div>
  )
}

declare global {
  interface Window {
    /** Bars and number that the document has drawn before the app ran (before-app-order.js), and the path of their order. */
    firstCode?: { readonly path: string; readonly nodes: readonly Node[] } | undefined
  }
}

/** The place of bars and number that are still to come. The document may have drawn them there already. */
export function GhostCode() {
  return <span ref={keepFirstCode} className={styles.ghost} data-code-place />
}

/** Later the app has read the order itself, and it may have changed. */
const firstCodeMs = 10_000

function keepFirstCode(place: HTMLElement | null): void {
  const { firstCode } = window
  if (place === null || firstCode?.path !== window.location.pathname || performance.now() > firstCodeMs)
    return
  place.dataset.drawn = ''
  place.replaceChildren(...firstCode.nodes)
}

/** Outline of a tag while the order is loading. The heading of the page says so. */
export function LoadingTag() {
  return <LuggageTag state="loading" stub={<GhostCode />} />
}
