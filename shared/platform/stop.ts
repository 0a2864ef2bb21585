import Type, { type Static } from 'typebox'
import { stopKinds } from './stop-kinds.ts'

export type StopKind = (typeof stopKinds)[number]

const moment = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))

export const Stop = Type.Object({
  what: Type.Enum([...stopKinds]),
  code: Type.Optional(
    Type.String({ description: 'Of the agent or branch; the English name of the city. Absent for all.' }),
  ),
  from: moment('Absent: at once.'),
  until: moment('Absent: until it is ended.'),
  text: Type.Object(
    { ar: Type.String(), en: Type.String() },
    { description: 'What pilgrims read, in each language.' },
  ),
})
export type Stop = Static<typeof Stop>
