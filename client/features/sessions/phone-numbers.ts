/* A chunk of its own: what needs the library of phone numbers. */

export { getCountryCallingCode } from 'libphonenumber-js/min'
export { CountryList } from './country-list.tsx'
export { composePhone } from './phone.rules.ts'
