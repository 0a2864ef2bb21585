import type { Photo } from '#client/entities/claim/photo.ts'
import { call } from '#client/platform/call.ts'
import { storeDeskPhoto } from '#shared/desk/claims/desk-claims.operations.ts'
import { keyed } from '../sending.ts'

export const sendPhoto = (claimId: number, number: number, body: Photo['bytes'], key: string) =>
  call(storeDeskPhoto, {
    params: { claimId: String(claimId), number: String(number) },
    headers: { 'content-type': 'image/jpeg', ...keyed(key) },
    body,
  })
