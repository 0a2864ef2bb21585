/** Two stacks on one machine differ only by the simulator's HTTP port. 0: any free port. */
export const mailPortOf = (simulatorPort: number): number =>
  simulatorPort === 0 ? 0 : (simulatorPort + 25) % 65_536
