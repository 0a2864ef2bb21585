import { type ReactNode, useCallback } from 'react'
import { type LocationFacts, mapHref } from '#client/entities/location/location.tsx'
import type { TagState } from '#client/entities/tag/tag.rules.ts'
import { type BackTexts, useBackTexts } from '#client/entities/tag/tag-back.tsx'
import { makeBackPicture } from '#client/entities/tag/tag-picture.ts'
import { telHref } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import buttonStyles from '#client/ui/button.module.css'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import { PhoneText } from '#client/ui/contact-text.tsx'
import layout from '#client/ui/layout.module.css'
import { ShareButton } from '#client/ui/share-button.tsx'
import textStyles from '#client/ui/text.module.css'
import { useSettling } from '#client/ui/use-settling.ts'
import type { Leg, LegEnd } from '#shared/orders/orders.rules.ts'
import type { Booking } from '#shared/orders/orders.schemas.ts'
import { brand } from '#shared/platform/brand.ts'
import { languages } from '#shared/platform/language.ts'
import styles from './pass-leg.module.css'

interface NextActionProps {
  readonly state: TagState
  readonly leg: Leg
  readonly booking: Booking
  readonly origin: LocationFacts
  readonly destination: LocationFacts
  /** The action is the primary one of the page. */
  readonly isFirst: boolean
  readonly onFollow: () => void
  /** The button that shares the journey, when the journey can be shared. */
  readonly family: ReactNode
  /** The address of the form that reports a late bag; `undefined` for any other bag, and without a connection. */
  readonly reportLate: string | undefined
}

/** The next action for a bag, at the bottom edge of a phone. When the bag's state changes, another action takes its place. */
export const NextAction = (props: NextActionProps) => <Action key={props.state} {...props} />

function Action(props: NextActionProps) {
  const { state, leg, booking, origin, destination, isFirst, onFollow, family, reportLate } = props
  const { t } = useTranslation('pass')
  const look = isFirst ? 'primary' : undefined
  return (
    <div
      className={classes(styles.way, isFirst && `${buttonStyles.dock} ${styles.dock}`)}
      data-screen
      {...useSettling()}
    >
      {state === 'tied' ? <GoThere end={leg.from} location={origin} look={look} /> : null}
      {state === 'torn' ? (
        <Button look={look} isWide onClick={onFollow}>
          {t('follow')}
        </Button>
      ) : null}
      {state === 'travelling' ? <WithHelp>{family}</WithHelp> : null}
      {state === 'delayed' ? <Report look={look} to={reportLate} /> : null}
      {state === 'here' ? <GoThere end={leg.to} location={destination} look={look} hasCall /> : null}
      {state === 'collected' ? <ShareTag booking={booking} look={look} /> : null}
    </div>
  )
}

type Look = 'primary' | undefined

interface GoThereProps {
  readonly end: LegEnd
  readonly location: LocationFacts
  readonly look: Look
  /** A button for a call stands next to the directions. */
  readonly hasCall?: boolean
}

/** Opens directions to the place. Without coordinates it calls the place. */
function GoThere({ end, location: { coordinates, phone }, look, hasCall = false }: GoThereProps) {
  const { t } = useTranslation('pass')
  if (coordinates === null)
    return phone ? (
      <CallLink phone={phone} text={t(`call.${end}`)} look={look} isWide />
    ) : (
      <CallSupport look={look} />
    )
  return (
    <div className={classes(layout.cluster, layout.gap2, styles.duo)}>
      <ButtonLink look={look} isWide icon="way" href={mapHref(coordinates)} isNewTab>
        {t(`way.${end}`)}
      </ButtonLink>
      {hasCall && phone ? <CallLink phone={phone} text={t('callBriefly')} /> : null}
    </div>
  )
}

interface CallLinkProps {
  readonly phone: string
  readonly text: string
  readonly look?: Look
  readonly isWide?: boolean
}

function CallLink({ phone, text, look, isWide }: CallLinkProps) {
  return (
    <ButtonLink look={look} isWide={isWide} icon="phone" href={telHref(phone)}>
      {text}
    </ButtonLink>
  )
}

function CallSupport({ look }: { readonly look: Look }) {
  const { t } = useTranslation('pass')
  const { phone } = brand.contact
  return (
    <>
      <CallLink phone={phone} text={t('support')} look={look} isWide />
      <p className={`${textStyles.hint} ${styles.support}`}>
        <PhoneText>{phone}</PhoneText>
      </p>
    </>
  )
}

/** The call is one line, below a more important action. */
function WithHelp({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('pass')
  const { phone } = brand.contact
  return (
    <>
      {children}
      <p className={`${textStyles.hint} ${styles.support}`}>
        {t('help')}{' '}
        <a href={telHref(phone)}>
          <PhoneText>{phone}</PhoneText>
        </a>
      </p>
    </>
  )
}

/** Reports a late bag. A bag that is held up has no form: the button calls the support. */
function Report({ look, to }: { readonly look: Look; readonly to: string | undefined }) {
  const { t } = useTranslation('late')
  if (to === undefined) return <CallSupport look={look} />
  return (
    <WithHelp>
      <ButtonLink look={look} isWide to={to}>
        {t('report')}
      </ButtonLink>
    </WithHelp>
  )
}

/** The back of the tag as a picture, without name and number. */
function ShareTag({ booking, look }: { readonly booking: Booking; readonly look: Look }) {
  const { t } = useTranslation('pass')
  const language = useLanguage()
  const back = useBackTexts(booking, 'own')
  // A string, so that the picture is drawn again only when its text changes.
  const drawn = JSON.stringify(back)
  const makePicture = useCallback(
    () => makeBackPicture(JSON.parse(drawn) as BackTexts, languages[language].direction),
    [drawn, language],
  )
  const words = back.say.replace('\n', ' ')
  const said = back.fromTo === undefined ? words : `${words} ${back.fromTo}`
  const text = `${said.replace(/[\u2066-\u2069]/g, '')} · ${brand.name[language]} ${window.location.origin}`
  return (
    <ShareButton look={look} isWide text={text} makePicture={makePicture}>
      {t('shareTag')}
    </ShareButton>
  )
}
