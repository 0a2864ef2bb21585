/** Questions and answers between the processes of a benchmark, over Node's IPC channel. */

interface Question {
  readonly question: number
  readonly job: unknown
}

interface Answer {
  readonly question: number
  readonly result?: unknown
  readonly error?: string
}

const isRecord = (message: unknown): message is Record<string, unknown> =>
  typeof message === 'object' && message !== null

export const isQuestion = (message: unknown): message is Question =>
  isRecord(message) && typeof message.question === 'number' && 'job' in message

export const isAnswer = (message: unknown): message is Answer =>
  isRecord(message) && typeof message.question === 'number' && !('job' in message)

/** Answers every question of the process that started this one. The channel alone does not keep the process alive. */
export function answerQuestions(answer: (job: unknown) => unknown, { stayAlive = true } = {}): void {
  process.on('message', (message) => {
    if (!isQuestion(message)) return
    Promise.resolve()
      .then(() => answer(message.job))
      .then(
        (result) => process.send?.({ question: message.question, result }),
        (error: unknown) =>
          process.send?.({
            question: message.question,
            error: error instanceof Error ? (error.stack ?? error.message) : String(error),
          }),
      )
  })
  if (!stayAlive) process.channel?.unref()
}
