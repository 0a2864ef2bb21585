import styles from './icon.module.css'

/** Line drawings on a 24 × 24 grid, 2 px strokes with round ends. */
const drawings = {
  bag: 'M5 8h14v12H5zM9 8V4h6v4M9 12v4M15 12v4',
  tag: 'M6 9l4-5h4l4 5v11H6zM12 8v.01M9 13h6M9 16h6',
  scan: 'M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M8 9v6M12 9v6M16 9v6',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13M15.5 15.5L20 20',
  pin: 'M12 21c-4-5-6-8-6-11a6 6 0 0 1 12 0c0 3-2 6-6 11zM12 9v2',
  way: 'M6 20V11a4 4 0 0 1 4-4h9M15 3l4 4-4 4',
  route:
    'M6 21a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM18 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM8 19h7.5a3.5 3.5 0 0 0 0-7h-7a3.5 3.5 0 0 1 0-7H16',
  phone: 'M5 4h4l2 5-3 2a12 12 0 0 0 5 5l2-3 5 2v4a1 1 0 0 1-1 1A16 16 0 0 1 4 5a1 1 0 0 1 1-1z',
  chat: 'M4 5h16v11h-8l-4 4v-4H4zM8 9h8M8 12h5',
  camera: 'M4 8h4l2-3h4l2 3h4v11H4zM12 10a3 3 0 1 0 0 6a3 3 0 0 0 0-6',
  noCamera: 'M4 4l16 16M8.5 8H4v11h15M9.5 5.5l.3-.5h4.2l2 3h4v8M10.2 11.2a3 3 0 0 0 3.6 3.6',
  card: 'M3 6h18v12H3zM3 10h18M7 14h4',
  barcode: 'M4 6v12M7 6v9M10 6v12M13 6v9M16 6v12M20 6v12',
  branch:
    'M4 9.5 5.5 4h13L20 9.5M4 9.5a2.7 2.7 0 0 0 5.3 0 2.7 2.7 0 0 0 5.4 0 2.7 2.7 0 0 0 5.3 0M5.5 12.5V20h13v-7.5M10 20v-4.5h4V20',
  add: 'M12 5v14M5 12h14',
  tick: 'M4 12l6 6L20 6',
  clock: 'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M12 7v5l3 2',
  next: 'M9 5l7 7-7 7',
  chevron: 'm6 9 6 6 6-6',
  cross: 'M5 5l14 14M19 5L5 19',
  save: 'M12 4v11M7 11l5 5 5-5M4 20h16',
  share: 'M12 15V3.5M8 7l4-3.5L16 7M6 11H5v9.5h14V11h-1',
  receipt: 'M6 3.5h12v17l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  print:
    'M7 9V3.5h10V9M7 17.5H4.5A1.5 1.5 0 0 1 3 16v-5.5A1.5 1.5 0 0 1 4.5 9h15a1.5 1.5 0 0 1 1.5 1.5V16a1.5 1.5 0 0 1-1.5 1.5H17M7 14.5h10v6H7Z',
  person: 'M12 4a4 4 0 1 0 0 8a4 4 0 0 0 0-8M4 21c0-4 4-6 8-6s8 2 8 6',
  alert: 'M12 3l9.5 17h-19zM12 9v5M12 17v.01',
  refresh: 'M20 12a8 8 0 1 1-2.5-5.8M20 3v5h-5',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3M12 15v1',
  calendar: 'M5 6h14v14H5zM5 10h14M9 3v4M15 3v4',
  plane:
    'M12 3c1 0 1.5 1 1.5 2.5V9l7 4.5v2l-7-2V18l2.5 2v1.5L12 20.5 8 21.5V20l2.5-2v-4.5l-7 2v-2l7-4.5V5.5C10.5 4 11 3 12 3z',
  train:
    'M7 4h10a2 2 0 0 1 2 2v8a3 3 0 0 1-3 3H8a3 3 0 0 1-3-3V6a2 2 0 0 1 2-2zM5 11h14M9 14v.01M15 14v.01M8 17l-2 4M16 17l2 4',
  city: 'M4 20V9h6v11M10 20V4h6v16M16 20v-8h4v8M2 20h20M7 12v.01M7 15v.01M13 8v.01M13 11v.01M13 14v.01',
  university: 'M12 5L2 10l10 5 10-5zM6 12.5V17c2 2 10 2 12 0v-4.5M22 10v6',
  offline: 'M4 4l16 16M8 16a6 6 0 0 1 8 0M5 12a10 10 0 0 1 4-2.4M14 9.4A10 10 0 0 1 19 12M12 20v.01',
} as const

export type IconName = keyof typeof drawings

/** Drawings that point along the direction of reading. */
const mirrored: ReadonlySet<IconName> = new Set(['way', 'next', 'route'])

/** An icon always stands beside a text, so it is hidden from screen readers. */
export function Icon({ name }: { name: IconName }) {
  return <Drawing path={drawings[name]} isMirrored={mirrored.has(name)} />
}

interface DrawingProps {
  /** On the same grid. */
  readonly path: string
  readonly isMirrored: boolean
}

export function Drawing({ path, isMirrored }: DrawingProps) {
  return (
    <svg
      className={isMirrored ? `${styles.icon} ${styles.mirrored}` : styles.icon}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      <path d={path} />
    </svg>
  )
}
