import { handoverPhotoTriggers, triggerStatements } from '../change-notices.ts'
import type { Engine } from '../database.ts'

const bytes = { sqlite: 'blob', postgres: 'bytea' } as const

export const isAdditive = true

export const statementsOf = (engine: Engine): readonly string[] => [
  `CREATE TABLE handover_photos (
  booking_id bigint PRIMARY KEY NOT NULL REFERENCES bookings (id) ON DELETE CASCADE,
  taken_at bigint NOT NULL,
  stored_at bigint NOT NULL,
  delete_at bigint NOT NULL,
  jpeg ${bytes[engine]} NOT NULL
)`,
  'CREATE INDEX handover_photos_age ON handover_photos (delete_at)',
  ...(engine === 'postgres' ? triggerStatements(handoverPhotoTriggers) : []),
]
