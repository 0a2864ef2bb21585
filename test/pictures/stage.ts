import type { Page } from 'playwright-core'
import { type LanguageCode, languageCookie } from '#shared/platform/language.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { words } from '#test/kit/browser/words.ts'
import { newPerson, type Person } from '#test/kit/gateway/person.ts'
import type { Stack } from '#test/kit/programs/stack.ts'
import { longNameAr, longNameEn } from './fixtures.ts'
import type { Stage, Visitor } from './scenes.ts'

/** Who the scenes are played as, and what they are played with. */

type PlayedStack = Pick<Stack, 'control' | 'gatewayUrl' | 'logs'>

/** An agent for each language, because a phone gets one code per minute. */
const agentPhones: Record<LanguageCode, string> = { ar: '+966500000101', en: '+966500000102' }

export type People = Readonly<Record<Visitor, Person | undefined>>

export async function peopleOf(stack: PlayedStack, language: LanguageCode): Promise<People> {
  const user = newPerson(stack, { lang: language })
  await user.signUp(newPhone(), language === 'ar' ? longNameAr : longNameEn)
  const agent = newPerson(stack, { lang: language })
  await agent.signInAgent(agentPhones[language])
  return { visitor: undefined, user, agent }
}

/** The page of a person, before a scene. */
export async function stageOf(
  page: Page,
  { gatewayUrl, control }: PlayedStack,
  person: Person | undefined,
  language: LanguageCode,
): Promise<Stage> {
  const context = page.context()
  const cookies = new Map([...(person?.cookies ?? []), [languageCookie.name, language]])
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: gatewayUrl })))
  return { page, context, language, t: words(language), control, phone: newPhone(), gatewayUrl }
}
