const format = new Intl.DateTimeFormat('en', {
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'Asia/Riyadh',
})

/** The time of day as the desk shows it in every language: `14:22`. @param at ISO 8601 or epoch milliseconds */
export const timeInRiyadh = (at: string | number): string => format.format(new Date(at))
