import { Drawing, Icon, type IconName } from '#client/ui/icon.tsx'

/** Icons that only the desk uses, drawn like those of client/ui/icon.tsx. */
const drawings = {
  eye: 'M2.5 12S6 6 12 6s9.5 6 9.5 6-3.5 6-9.5 6-9.5-6-9.5-6M12 9.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 0 0 0-5',
  flag: 'M6 21V4h11l-2 4 2 4H6',
  list: 'M5 4h14v16H5zM8 8h8M8 12h8M8 16h5',
  pen: 'M5 19h4L19 9l-4-4L5 15z',
  back: 'M9 6L4 11l5 5M4 11h10a6 6 0 0 1 6 6v1',
  shield: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z',
  people:
    'M9 5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 0 0 0-7M2.5 20c0-3.5 3-5 6.5-5s6.5 1.5 6.5 5M16 5.5a3.5 3.5 0 0 1 0 6.5M18 15c2 .6 3.5 2 3.5 5',
  truck: 'M3 6h11v10H3zM14 10h4l3 3v3h-7M7 19a2 2 0 1 0 0-4a2 2 0 0 0 0 4M17 19a2 2 0 1 0 0-4a2 2 0 0 0 0 4',
  stop: 'M8 3h8l5 5v8l-5 5H8l-5-5V8zM8 12h8',
  gear: 'M12 9a3 3 0 1 0 0 6a3 3 0 0 0 0-6M12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M5.6 18.4l2.1-2.1M16.3 7.7l2.1-2.1',
  keyboard: 'M3 6h18v12H3zM7 10v.01M12 10v.01M17 10v.01M8 14h8',
} as const

export type DeskIconName = IconName | keyof typeof drawings

const isOwn = (name: DeskIconName): name is keyof typeof drawings => Object.hasOwn(drawings, name)

/** An icon is hidden from screen readers, because a text always stands next to it. */
export function DeskIcon({ name }: { name: DeskIconName }) {
  return isOwn(name) ? <Drawing path={drawings[name]} isMirrored={name === 'truck'} /> : <Icon name={name} />
}
