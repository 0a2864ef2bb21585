// @vitest-environment jsdom

import { screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { telHref } from '#client/platform/format.ts'
import { plainText } from '#test/kit/client/plain-text.ts'
import { renderPage, textOf } from '#test/kit/client/render-page.tsx'
import { LocationView, mapHref, nameOf, withoutCity } from './location.tsx'

it('links to the map by coordinates, also on the equator', () => {
  expect(mapHref({ latitude: 0, longitude: 39.8262 })).toBe(
    'https://www.google.com/maps/search/?api=1&query=0,39.8262',
  )
})

it('dials digits and a plus only', () => {
  expect(telHref('+966 (50) 123-4567')).toBe('tel:+966501234567')
})

it('shows that a location is unknown only without name, address and city', () => {
  const { rerender } = renderPage(
    <LocationView location={{ coordinates: null }} unknown="Unknown location" />,
  )
  expect(screen.getByText('Unknown location')).toBeTruthy()
  rerender(<LocationView location={{ city: 'Riyadh', coordinates: null }} unknown="Unknown location" />)
  expect(screen.queryByText('Unknown location')).toBeNull()
  expect(screen.getByText('Riyadh')).toBeTruthy()
})

it.each([
  ['King Fahd Road, Riyadh', 'Riyadh', 'King Fahd Road'],
  ['طريق الملك فهد، حي العليا، الرياض', 'الرياض', 'طريق الملك فهد، حي العليا'],
  ['King Fahd Road', 'Riyadh', 'King Fahd Road'],
  ['Riyadh', 'Riyadh', 'Riyadh'],
])('of %j in %s a place that names the city needs %j', (address, city, expected) => {
  expect(withoutCity(address, city)).toBe(expected)
})

it('has no links without a phone and coordinates', () => {
  renderPage(<LocationView location={{ name: 'Agent', coordinates: null }} />, {
    language: 'ar',
  })
  expect(screen.queryByRole('link')).toBeNull()
  expect(screen.queryByText(textOf('location', 'map'))).toBeNull()
})

it('shows the default text for an unknown location', () => {
  renderPage(<LocationView location={{ coordinates: null }} />)
  expect(screen.getByText('Unknown location')).toBeTruthy()
})

it('shows the city once when the address ends with it', () => {
  const location = { addressEN: 'King Fahd Road, Riyadh', city: 'Riyadh', coordinates: null }
  renderPage(<LocationView location={location} />)
  expect(screen.getAllByText(/Riyadh/)).toHaveLength(1)
})

it.each([
  ['week', 'Sun–Thu 8–23'],
  ['now', 'Open now until 23:00'],
] as const)('shows the hours of the %s', (hoursOf, text) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-06-16T12:00:00+03:00') })
  try {
    const hours = { week: [{ days: [0, 1, 2, 3, 4], from: '08:00', to: '23:00' }] }
    const { container } = renderPage(
      <LocationView location={{ addressEN: 'Malaz', coordinates: null, hours }} hoursOf={hoursOf} />,
    )
    expect(plainText(container.textContent)).toBe(`Malaz${text}`)
  } finally {
    vi.useRealTimers()
  }
})

describe('the name of a location', () => {
  it.each([
    [{ first_name: 'Jamarat counter', name: 'A1' }, 'Jamarat counter'],
    [{ first_name: '', name: 'A1' }, 'A1'],
    [{ name: 'A1' }, 'A1'],
    [{}, undefined],
  ])('of %j is %j', (location, name) => {
    expect(nameOf(location)).toBe(name)
  })
})
