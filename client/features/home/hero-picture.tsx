import { useId } from 'react'
import { TentPattern, tentRow } from '#client/ui/tents.tsx'
import styles from './home.module.css'

/** Across, down and size of each row of tents, from the horizon to the front. */
const rows = [
  [0, 1, 0.2],
  [6, 5.6, 0.25],
  [0, 11.4, 0.313],
  [9.4, 18.5, 0.391],
  [0, 27.5, 0.488],
  [14.6, 38.8, 0.61],
  [0, 52.8, 0.763],
  [22.9, 70.3, 0.954],
  [0, 92.3, 1.192],
  [35.8, 119.7, 1.49],
  [0, 154, 1.863],
] as const

const farRidge =
  'M-720 2V-18L-675-11-629-12-600-18-551-18-523-26-487-27-436-21-417-19-375-10-348-9-298-18-279-24-247-22-201-25-172-25-137-25-115-26-81-27-59-23-22-18 27-22 48-21 71-23 106-25 124-18 141-24 161-24 203-26 232-20 266-24 302-27 345-22 369-27 392-27 438-21 466-18 495-19 524-9 549-11 590-18 633-9 650-14 686-9 704-15 720-9V2Z'
const nearRidge =
  'M-720 3V-7L-659-5-630-10-598-12-559-12-497-12-456-12-429-12-369-10-346-9-300-8-269-3-216-2-185-2-151-2-109-2-47-5-12-9 51-4 86-2 133-2 194-7 220-11 245-11 284-12 352-12 401-8 462-9 518-12 587-7 618-10 676-8 720-7V3Z'

/** Mina at dawn: ridges, then rows of tents that grow towards the front. */
export function HeroLand() {
  const id = useId()
  const far = `${id}far`
  const near = `${id}near`
  const haze = `${id}haze`
  const tents = `${id}tents`
  return (
    <svg className={styles.heroLand} aria-hidden="true" focusable="false">
      <defs>
        <linearGradient id={far} gradientUnits="userSpaceOnUse" x1="0" x2="0" y1="-28" y2="2">
          <stop stopColor="var(--ridge-far)" />
          <stop stopColor="var(--ridge-foot)" offset="1" />
        </linearGradient>
        <linearGradient id={near} gradientUnits="userSpaceOnUse" x1="0" x2="0" y1="-14" y2="3">
          <stop stopColor="var(--ridge-near)" />
          <stop stopColor="var(--ridge-foot)" offset="1" />
        </linearGradient>
        <linearGradient id={haze} x2="0" y2="1">
          <stop stopColor="var(--haze)" stopOpacity="0" />
          <stop stopColor="var(--haze)" offset=".3" stopOpacity=".85" />
          <stop stopColor="var(--haze)" offset="1" stopOpacity="0" />
        </linearGradient>
        <TentPattern id={tents} />
      </defs>
      <svg x="50%" overflow="visible" aria-hidden="true">
        <g className={styles.heroScale}>
          {/* Stretched, so that they reach across wide screens. */}
          <path fill={`url(#${far})`} transform="scale(2 1)" d={farRidge} />
          <path fill={`url(#${near})`} transform="scale(2 1)" d={nearRidge} />
          <path fill="var(--camp)" d="M-2000 0h4000v240h-4000z" />
          {rows.map(([x, y, scale]) => (
            <path
              key={y}
              fill={`url(#${tents})`}
              transform={`translate(${x} ${y}) scale(${scale})`}
              d={tentRow}
            />
          ))}
          <path fill={`url(#${haze})`} d="M-2000-14h4000v50h-4000z" />
        </g>
      </svg>
    </svg>
  )
}

/** The thread comes down from the wordmark and carries the tag. Curves for phones and, from 1024 px, for the wide poster. */
export function HeroThread() {
  return (
    <div className={styles.heroThread}>
      <svg
        className={`${styles.heroCord} ${styles.heroCordNarrow}`}
        viewBox="0 0 354 110"
        preserveAspectRatio="none"
        aria-hidden="true"
        focusable="false"
      >
        <path vectorEffect="non-scaling-stroke" d="M353 0C353 64 252 94 96 95C60 95 24 80 -6 56" />
      </svg>
      <svg
        className={`${styles.heroCord} ${styles.heroCordWide}`}
        viewBox="0 0 1224 140"
        preserveAspectRatio="none"
        aria-hidden="true"
        focusable="false"
      >
        <path
          vectorEffect="non-scaling-stroke"
          d="M1222.75 0V4C1222.75 46 1120 32 960 28C700 22 560 120 328 126C190 129 80 88 -10 30"
        />
      </svg>
      <svg className={styles.heroTag} viewBox="-44 -16 88 136" aria-hidden="true" focusable="false">
        <path
          fill="var(--saffron-edge)"
          opacity=".35"
          transform="translate(3 4)"
          d="M-39 10l20-22h38l20 22v96a8 8 0 0 1-8 8h-62a8 8 0 0 1-8-8Z"
        />
        <path
          fill="var(--saffron)"
          fillRule="evenodd"
          d="M-39 10l20-22h38l20 22v96a8 8 0 0 1-8 8h-62a8 8 0 0 1-8-8ZM0-7a7 7 0 1 0 0 14a7 7 0 0 0 0-14Z"
        />
        <path
          fill="none"
          stroke="var(--on-saffron)"
          strokeWidth="6"
          transform="translate(-30 22)"
          d="M0 22V2h8a6 6 0 0 1 0 12H0M8 14l7 8M24 1v13a7 7 0 0 0 14 0V1M48 1v21M62 1v21M48 11h14"
        />
        <path stroke="var(--on-saffron)" strokeWidth="1.5" strokeDasharray="2 4" d="M-31 58h62" />
        <path
          fill="var(--on-saffron)"
          transform="translate(-31 70) scale(.94 1.3)"
          d="M0 0h2v22H0zM4 0h1v22H4zM7 0h3v22H7zM12 0h1v22h-1zM15 0h3v22h-3zM20 0h1v22h-1zM23 0h2v22h-2zM28 0h3v22h-3zM33 0h1v22h-1zM36 0h2v22h-2zM40 0h1v22h-1zM43 0h3v22h-3zM48 0h1v22h-1zM51 0h3v22h-3zM56 0h2v22h-2zM60 0h1v22h-1zM63 0h3v22h-3z"
        />
        <path
          fill="none"
          stroke="var(--saffron)"
          strokeWidth="2.5"
          strokeLinecap="round"
          d="M-4-34Q-5-14 0 1Q6-14 3-34"
        />
      </svg>
    </div>
  )
}
