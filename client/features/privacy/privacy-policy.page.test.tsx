// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderPage, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { PrivacyPolicyPage } from './privacy-policy.page.tsx'

it('is short until a section is opened: each section is closed below its heading, the contact is in view', () => {
  stubGateway({})
  renderPage(<PrivacyPolicyPage />)
  const closed = (title: string) =>
    screen.getByRole('heading', { level: 2, name: textOf('privacy', title) }).closest('details:not([open])')
  for (const section of ['kept', 'card', 'recipients', 'device', 'retention', 'rights'])
    expect(closed(`${section}.title`), section).not.toBeNull()
  for (const section of ['short', 'contact']) expect(closed(`${section}.title`), section).toBeNull()
})
