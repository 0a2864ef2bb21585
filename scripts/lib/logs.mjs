const levels = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }
const warning = 40

/**
 * One line of a process for a human eye. `isQuiet` tells that it need not be shown: a structured line below a warning,
 * or an unstructured one that is no complaint (a complaint came by stderr: a stack trace, a word of Node's).
 */
export function readLogLine(name, line, isComplaint) {
  const entry = parse(line)
  if (entry === undefined) return { text: `${name}  ${line}`, isQuiet: !isComplaint || line.trim() === '' }
  const level = typeof entry.level === 'number' ? entry.level : levelNumber(entry.level)
  const said = [entry.msg, entry.err?.message ?? entry.error?.message ?? entry.error]
    .filter((part, index, all) => typeof part === 'string' && part !== '' && all.indexOf(part) === index)
    .join(': ')
  return { text: `${name}  ${(levels[level] ?? 'log').padEnd(5)}  ${said || line}`, isQuiet: level < warning }
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
