export { freeWorkOf, takeForAct } from '#server/desk/work/work.ts'
