// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderRoom, textOf } from '#test/kit/room.tsx'
import { addressOf, mapHref, PlaceView, telHref } from './place.tsx'

describe('the address', () => {
  const both = { addressAR: 'الملز', addressEN: 'Malaz', address: 'plain', coordinates: null }

  it('is in the language of the reader', () => {
    expect(addressOf(both, 'ar')).toBe('الملز')
    expect(addressOf(both, 'en')).toBe('Malaz')
  })

  it('falls back to the plain one', () => {
    expect(addressOf({ addressAR: 'الملز', address: 'plain', coordinates: null }, 'en')).toBe('plain')
    expect(addressOf({ addressAR: '', address: 'plain', coordinates: null }, 'ar')).toBe('plain')
    expect(addressOf({ coordinates: null }, 'ar')).toBeUndefined()
  })
})

it('links to the map by coordinates, also on the equator', () => {
  expect(mapHref({ latitude: 0, longitude: 39.8262 })).toBe(
    'https://www.google.com/maps/search/?api=1&query=0,39.8262',
  )
})

it('dials digits and a plus, whatever stands between them', () => {
  expect(telHref('+966 (50) 123-4567')).toBe('tel:+966501234567')
})

it('says that a place is unknown only when nothing is known of it', () => {
  const { rerender } = renderRoom(
    <PlaceView place={{ coordinates: null }} language="en" unknown="Unknown location" />,
  )
  expect(screen.getByText('Unknown location')).toBeTruthy()
  rerender(
    <PlaceView place={{ city: 'Riyadh', coordinates: null }} language="en" unknown="Unknown location" />,
  )
  expect(screen.queryByText('Unknown location')).toBeNull()
  expect(screen.getByText('Riyadh')).toBeTruthy()
})

it('has no links where there is neither a phone nor a point', () => {
  renderRoom(<PlaceView place={{ name: 'Agent', coordinates: null }} language="ar" />, { language: 'ar' })
  expect(screen.queryByRole('link')).toBeNull()
  expect(screen.queryByText(textOf('place', 'map'))).toBeNull()
})

it('says of a place of which nothing is known that it is unknown', () => {
  renderRoom(<PlaceView place={{ coordinates: null }} language="en" />)
  expect(screen.getByText('Unknown location')).toBeTruthy()
})

it('says the city once when the address ends with it', () => {
  const place = { addressEN: 'King Fahd Road, Riyadh', city: 'Riyadh', coordinates: null }
  renderRoom(<PlaceView place={place} language="en" />)
  expect(screen.getAllByText(/Riyadh/)).toHaveLength(1)
})
