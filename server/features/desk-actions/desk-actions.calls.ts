export { readSoloLimit } from '#server/desk/actions/money.ts'
export {
  findRequest as findAsked,
  requestWithoutOrder as askWithoutOrder,
} from '#server/desk/actions/requests.ts'
