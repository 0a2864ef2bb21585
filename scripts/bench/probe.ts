import { answerQuestions } from './questions.ts'
import { vitals } from './vitals.ts'

/**
 * Loaded into a process before its program (`node --import`): reports delays of its event loop and its resource usage.
 */
answerQuestions(vitals, { stayAlive: false })
