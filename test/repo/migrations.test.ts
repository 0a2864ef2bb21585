import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { readRepoFile, repoFiles } from '#test/kit/repo-files.ts'

/**
 * SHA-256 of every migration. Databases that have applied one never see a later edit of it: a change of the schema is a new
 * file, and its line here.
 */
const sums: Readonly<Record<string, string>> = {
  '0001-schema.ts': 'ca28f68606ee812a1f4abd627e780578a7521c1f8101ebe620b15acef361d7b6',
  '0002-sign-in-channels.ts': 'a4ee5f99b3f665bb9065dee431ee49b939b1df6d967ba616392dcc63508e1b1f',
  '0003-receivers.ts': '08137f24cbc35c5d63fe45d761e5e9f6f13d2ead7097d72bd7c0883f317a6596',
  '0004-emails.ts': '57c6b3b1b7a09d2d65b70fa1b4b7214c6350a7c2ac8a5feccace84bd0d826bf5',
  '0005-receivers-told.ts': '54873ee657b665f3402c3fcc14d08da77251fad5b9ffda1523cd2cb21158b64a',
  '0006-not-accepted.ts': 'd2ae5857f7c9c710a8c7933a1f52ec8fcbf908f28c58102500feaaa5a4beec87',
  '0007-notices.ts': '750bc694695dbb15e2b057a9bb551e762f2eb898e12cc4ac2de95dbeb3708626',
  '0008-desk.ts': 'a7e5bef7d472ecd3c1b892eb028591f0ba5139d7a88c230359bdf96ede6cf013',
  '0009-claims.ts': 'd55b0279b9b41e445e4d7f071f714433082170c6c1420be84e691f28807c9b28',
  '0010-stops.ts': '9669eb851a1359b8fca2198e83c7210bea69f1c8f28c753a9ef1b379395853e3',
  '0011-desk-search.ts': 'a56056e92e5f4acb6f9228a973ee8db83908f89c53721b0c13fdc6bfa6c874eb',
  '0012-approvals.ts': 'afdb1cdb11f21ad8321735ec809b900f83ee3ff1f791823d4be21de67dc8eb20',
  '0013-work.ts': '841698d51851d4a8a3752f7f4f48256237edbeecdcaf5b7cf754f91f07e38ba8',
  '0014-kept-facts.ts': '2aef58ee8a12502ee9bff78c0e3042e9047d019017738620af4016269603ca63',
  '0015-desk-facts.ts': '55bd8d5e115777c9e87bbfb0bf178695b53ac91d071ce45620c7a5be04e51985',
  '0016-compensations.ts': 'dbcdf1ca4c1066081e226ab5f89005036f038390878e31eabbc42d5849a1e018',
  '0017-takes.ts': 'ada608c62695b4cc180ac05261ec31b7635ff14611ab448dfc0e587bb3f2e701',
  '0018-agent-search.ts': 'bd13933af4ea30f47ad4f45c30a7b640ee9d207046df269478fb5a287a54460a',
  '0019-desk-told.ts': '119c0f28e4cbc1dfae7cb701690a432d6a41d529ac0220b02af726383e2d78cc',
  '0020-installation.ts': 'e81b3c66646ec7dee3377ca622d9d029d5dcbac0c5151eafee7389ffc3d6534c',
  '0021-confirmations.ts': '64a388ed2f0c58317f90bf473db3506b20b5ebaaf4d9dc6c4ae7a8bcc6354887',
  '0022-desk-authority.ts': '74e098d6739d59191b56fddc0ffe41c864b2a9d822b0b14a1102936f1a658bf2',
  '0023-scans-not-of-this-bag.ts': '32133c996bfc686964e715e2707b996066897d5471e2b8e448a53b37522ffcc0',
  '0024-readings.ts': 'd18f21e469e6031f8c685215901b1d7f90a50d316911111c562c2072affbb961',
  '0025-agent-pairing.ts': '08aa3230b4c345b48e2b71a2b132a4daad02d7fb4824e6ef14654b518b99f9f6',
  '0026-number-changes.ts': '426507053b3f717f6fe3ac0c1e8c7dc4d7842b359c219a68b4460533af6e9a8b',
  '0027-late-bags.ts': '4aecfbdc1a7b17dd7eec5e9a4321bb31546602544ae30591cd3d4aa0b947c63d',
}

/** Indexes of existing databases hold names in this spelling: with another one, a new migration builds them anew. */
const spelling: Readonly<Record<string, string>> = {
  'server/platform/database/search-text.ts':
    'b428c3730eeda408a529209318495523fd54d3557acdfce412987db029c00a8f',
  'shared/platform/spelling.ts': '6e890598f5bed6e0d5d778acbb58851473297f6efc7a4fcbb6a74a676bca23e6',
}

const sumOf = (file: string) => createHash('sha256').update(readRepoFile(file)).digest('hex')

it('never edits a migration', () => {
  const files = repoFiles('server/platform/database/migrations', /\.ts$/)
  const found = files.map((file) => [basename(file), sumOf(file)])
  expect(Object.fromEntries(found)).toEqual(sums)
})

it('changes the spelling of names with a migration alone', () => {
  expect(Object.fromEntries(Object.keys(spelling).map((file) => [file, sumOf(file)]))).toEqual(spelling)
})
