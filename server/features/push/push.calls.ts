export { exportSubscriptions, hasBrowser, sendPush } from './push.ts'
