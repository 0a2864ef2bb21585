import { readRepoFile, repoFiles, testFile } from '#test/kit/repo/repo-files.ts'

/*
 * Prints lines of tests that can fail on a busy machine, and exits with 1 if there are any. A justified line ends
 * in `// steady: <why>`.
 */

const unsteady: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/\bnetworkidle\b/, 'waits for silence of the network: wait for what the page shows'],
  [/\btimeout: [\d_]+[,\s})]/, 'a limit beside the one of test/kit/basics/patience.ts'],
  [/\bwaitForTimeout\(|\bsetTimeout\(\w+, \d|\bdelay\(\d/, 'a sleep: wait for a signal, or move a clock'],
  [/\bshouldAdvanceTime: true/, 'real time moves the fake clock, too'],
  [/\bfreePorts?\b|\bget-?[pP]ort\b/, 'a port that is chosen and closed: onFreePorts'],
]

const files = [
  ...repoFiles('', testFile),
  ...repoFiles('test/kit', /\.tsx?$/).filter((path) => !/\/(patience|eventually|ports)\.ts$/.test(path)),
]
const found = files.flatMap((path) =>
  readRepoFile(path)
    .split('\n')
    .flatMap((line, index) =>
      /\/\/ steady: \S/.test(line)
        ? []
        : unsteady
            .filter(([pattern]) => pattern.test(line))
            .map(([, why]) => `${path}:${index + 1} ${line.trim()} (${why})`),
    ),
)
for (const line of found) console.error(line)
if (found.length > 0) process.exitCode = 1
