export const demoPassword = 'amtiati'

/** Only docker compose reads these variables, but the gateway's `.env` can contain them. */
export const composeVariables: readonly { name: string; default: string; description: string }[] = [
  {
    name: 'COMPOSE_FILE',
    default: 'docker-compose.yml:docker-compose.override.yml',
    description:
      'Files that `docker compose` reads. Live: `docker-compose.yml` alone; the other one starts the simulator.',
  },
  {
    name: 'DATABASE_PASSWORD',
    default: demoPassword,
    description:
      'Password of the PostgreSQL that compose starts: letters and digits, because it becomes a part of DATABASE_URL. It applies to a new, empty volume only. MODE=live refuses the default.',
  },
  {
    name: 'PROXY_PORT',
    default: '8080',
    description: 'Port of the proxy in front of two gateways (`docker compose --profile proxy up`).',
  },
]
