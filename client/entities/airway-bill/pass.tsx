import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { cityClass } from '#client/entities/location/city-block.tsx'
import { useLanguage } from '#client/platform/i18n.ts'
import { cityCode } from '#shared/platform/city-codes.ts'
import { cityName } from '#shared/platform/city-names.ts'
import './pass.css'

interface PassProps {
  /** At the reading edge of the saffron ear: the order number. */
  readonly start: ReactNode
  /** At its other edge: the weight limit. */
  readonly end?: ReactNode
  /** In English, as the partner names it; nothing is known of the destination without it. */
  readonly city: string | undefined
  readonly branch?: ReactNode
  /** `PassFact`s. */
  readonly facts?: ReactNode
  /** Below the perforation, on white paper: the barcode, or what stands in its place. */
  readonly children?: ReactNode
}

/** A bag as a luggage tag: ear with its hole, the destination on the city's colour, facts, perforation, barcode. */
export function Pass({ start, end, city, branch, facts, children }: PassProps) {
  const { t } = useTranslation('awb')
  const language = useLanguage()
  const code = cityCode(city)
  return (
    <div className="pass">
      <div className="pass-ear">
        <span>{start}</span>
        <i className="pass-hole" aria-hidden="true" />
        <span>{end}</span>
      </div>
      <div className={`pass-destination ${cityClass(city)}`}>
        <div>
          <p className="pass-to">{t('pass.to')}</p>
          <p className="pass-city">
            <bdi>{city === undefined ? t('pass.noCity') : cityName(city, language)}</bdi>
          </p>
        </div>
        {code === undefined ? null : (
          <span className="pass-city-code" aria-hidden="true">
            {code}
          </span>
        )}
        {branch ? <p className="pass-branch">{branch}</p> : null}
      </div>
      {facts ? <dl className="pass-body">{facts}</dl> : null}
      {children ? (
        <>
          <div className="pass-perforation pass-perforation-paper" />
          {children}
        </>
      ) : null}
    </div>
  )
}

/** A name and its value on a pass. */
export function PassFact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="pass-fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
