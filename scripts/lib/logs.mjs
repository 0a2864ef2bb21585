const levels = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }
const warning = 40

/**
 * Formats a line of a process for the terminal. `isQuiet`: it need not be shown, because it is a JSON line below
 * a warning, or another line of stdout.
 */
export function readLogLine(name, line, isStderr) {
  const entry = parse(line)
  if (entry === undefined) return { text: `${name}  ${line}`, isQuiet: !isStderr || line.trim() === '' }
  const level = typeof entry.level === 'number' ? entry.level : levelNumber(entry.level)
  const text = [entry.msg, entry.err?.message ?? entry.error?.message ?? entry.error]
    .filter((part, index, all) => typeof part === 'string' && part !== '' && all.indexOf(part) === index)
    .join(': ')
  return { text: `${name}  ${(levels[level] ?? 'log').padEnd(5)}  ${text || line}`, isQuiet: level < warning }
}

function parse(line) {
  if (!line.startsWith('{')) return undefined
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function levelNumber(word) {
  return Number(Object.keys(levels).find((number) => levels[number] === word) ?? warning)
}
