import type { Deployment } from 'kubernetes-types/apps/v1.d.ts'
import type { ConfigMap, Container, Probe, Service } from 'kubernetes-types/core/v1.d.ts'
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts'
import { stringify } from 'yaml'
import { proxiesPlaceholder } from '#server/platform/config-parsers.ts'
import { configRows } from '#server/platform/config-variables.ts'
import { stopGraceMs, stopMarginMs } from '#server/platform/plugins/graceful-close.ts'
import { healthPaths } from '#server/platform/plugins/health.ts'
import { programEnv, programFlags } from './repo.mjs'

/**
 * Deployments by Kubernetes and systemd (docs/operate.md). The types of `kubernetes-types` are the API's own,
 * so a misspelt field does not compile.
 */

/** MiB of one gateway, also in docker-compose.yml: a test compares them. After 10,000 journeys it holds 250. */
export const memoryMost = 1024
/** A gateway has some twenty threads, and so does each operator's tool beside it. */
export const tasksMost = 200
/**
 * Connections, the database, files: more than the 10,000 connections that a gateway accepts. Also in
 * docker-compose.yml.
 */
export const filesMost = 65_536
const user = 1000

const name = 'amtiati-gateway'
const defaultsName = `${name}-defaults`
const stopSeconds = (stopGraceMs + stopMarginMs) / 1_000
const defaultPort = Number(configRows.find((row) => row.name === 'PORT')?.default)

export function deriveDeployments(version: string): ReadonlyMap<string, string> {
  return new Map([
    ['deploy/kubernetes/gateway.yaml', kubernetes(version)],
    [`deploy/systemd/${name}@.service`, systemd()],
  ])
}

const made =
  '# Made by `npm run derive` from scripts/lib/deployments.ts; do not edit. How to use it: docs/operate.md.\n'

const labels = { 'app.kubernetes.io/name': name }
const port = { name: 'http', containerPort: defaultPort }
const probe = (path: string, times: Probe): Probe => ({ httpGet: { path, port: port.name }, ...times })

/** The operator's own map comes after it in the container, and its values win. */
const defaults = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: defaultsName, labels },
  data: { TRUSTED_PROXIES: proxiesPlaceholder },
} satisfies ConfigMap

function kubernetes(version: string): string {
  const metadata = { name, labels }
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { selector: labels, ports: [{ name: port.name, port: 80, targetPort: port.name }] },
  } satisfies Service
  // One gateway stays while nodes are drained.
  const budget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata,
    spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
  } satisfies PodDisruptionBudget
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: {
      replicas: 2,
      // Only for releases whose migrations are additive (docs/operate.md, "Upgrades").
      strategy: {
        type: 'RollingUpdate',
        rollingUpdate: {
          maxSurge: 1,
          maxUnavailable: 0,
        },
      },
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          terminationGracePeriodSeconds: stopSeconds,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: user,
            runAsGroup: user,
            fsGroup: user,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: labels },
            },
          ],
          containers: [container(version)],
          volumes: [{ name: 'tmp', emptyDir: { medium: 'Memory', sizeLimit: '64Mi' } }],
        },
      },
    },
  } satisfies Deployment
  const documents = [deployment, service, budget, defaults].map((each) =>
    stringify(each, { aliasDuplicateObjects: false, lineWidth: 0 }),
  )
  return `${made}${documents.join('---\n')}`
}

function container(version: string): Container {
  return {
    name: 'gateway',
    image: `${name}:${version}`,
    env: [
      { name: 'MODE', value: 'live' },
      { name: 'PORT', value: String(defaultPort) },
    ],
    envFrom: [{ configMapRef: { name: defaultsName } }, { configMapRef: { name } }, { secretRef: { name } }],
    ports: [port],
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    // No processor limit: a throttled gateway answers all requests late.
    resources: {
      requests: { cpu: '500m', memory: '384Mi' },
      limits: { memory: `${memoryMost}Mi` },
    },
    // Ten minutes for the migrations, which are one transaction: it listens after them.
    startupProbe: probe(healthPaths.alive, { periodSeconds: 2, failureThreshold: 300 }),
    livenessProbe: probe(healthPaths.alive, {
      periodSeconds: 10,
      timeoutSeconds: 5,
      failureThreshold: 6,
    }),
    readinessProbe: probe(healthPaths.ready, {
      periodSeconds: 5,
      timeoutSeconds: 3,
      failureThreshold: 3,
    }),
    volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
  }
}

/** A gateway needs its own folders and ports, and nothing else of the machine. */
const hardening = `DynamicUser=yes
User=amtiati
CapabilityBoundingSet=
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
ProtectProc=invisible
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
PrivateDevices=yes
PrivateTmp=yes
PrivateUsers=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM`

/** The port is the instance: `systemctl start amtiati-gateway@3000`. */
function systemd(): string {
  const environment = {
    NODE_ENV: 'production',
    MODE: 'live',
    TRUSTED_PROXIES: proxiesPlaceholder,
    HOST: '127.0.0.1',
    PORT: '%i',
    NODE_COMPILE_CACHE: '%C/amtiati/%i',
    MALLOC_ARENA_MAX: programEnv.MALLOC_ARENA_MAX,
  }
  return `${made}[Unit]
Description=Amtiati gateway on port %i
Wants=network-online.target
After=network-online.target postgresql.service
StartLimitIntervalSec=0

[Service]
Type=exec
WorkingDirectory=/opt/amtiati
${Object.entries(environment)
  .map(([key, value]) => `Environment=${key}=${value}`)
  .join('\n')}
EnvironmentFile=/etc/amtiati/gateway.env
ExecStart=node ${programFlags.join(' ')} server/main.ts
Restart=always
RestartSec=5
TimeoutStopSec=${stopSeconds}
KillMode=mixed
CacheDirectory=amtiati/%i
UMask=0077
MemoryMax=${memoryMost}M
TasksMax=${tasksMost}
LimitNOFILE=${filesMost}

${hardening}

[Install]
WantedBy=multi-user.target
`
}
