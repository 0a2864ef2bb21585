// @vitest-environment jsdom

import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { telHref } from '#client/platform/format.ts'
import { renderPage, textOf } from '#test/kit/client/render-page.tsx'
import { LocationView, mapHref, nameOf } from './location.tsx'

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
