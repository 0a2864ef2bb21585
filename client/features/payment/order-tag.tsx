import type { ReactNode } from 'react'
import { LuggageTag } from '#client/entities/tag/luggage-tag.tsx'
import { CityLetters, StubHead } from '#client/entities/tag/tag-parts.tsx'
import { useLanguage } from '#client/platform/i18n.ts'
import textStyles from '#client/ui/text.module.css'
import { cityName } from '#shared/platform/city-names.ts'

interface OrderTagProps {
  readonly number: ReactNode
  /** The city of the destination, by the partner's English name. */
  readonly city: string | undefined
  readonly badge: ReactNode
  /** True when no bag travels with this order. */
  readonly isOver: boolean
}

/** The tag of an order that has no barcode to show. */
export function OrderTag({ number, city, badge, isOver }: OrderTagProps) {
  const language = useLanguage()
  return (
    <LuggageTag
      shape="stub"
      state={isOver ? 'over' : undefined}
      city={city}
      ear={<CityLetters city={city} />}
      facts={
        <>
          <StubHead>
            {city === undefined ? null : <strong>{cityName(city, language)}</strong>}
            {badge}
          </StubHead>
          <span className={textStyles.quiet}>{number}</span>
        </>
      }
    />
  )
}
