/* A chunk of its own: it holds all code that needs the library of phone numbers. */

export { CountryList } from './country-list.tsx'
export { composePhone, getCountryCallingCode, withoutCode } from './phone.rules.ts'
